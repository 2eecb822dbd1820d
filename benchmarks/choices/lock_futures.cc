#include "benchmarks/choices/lock_futures.h"

#include <pthread.h>

#include <algorithm>
#include <set>

namespace heddle::bench {

using analysis::Interaction;
using analysis::InteractionKind;
using analysis::ObjectId;
using machine::Machine;
using machine::Operation;
using machine::OperationKind;
using machine::ThreadId;
using machine::ThreadStatus;
using program::CodeAddress;
using program::FunctionId;

namespace {

bool add(std::vector<uint64_t>& into, const std::vector<uint64_t>& bits) {
  bool grew = false;
  for (size_t w = 0; w < into.size(); ++w) {
    grew |= (bits[w] & ~into[w]) != 0;
    into[w] |= bits[w];
  }
  return grew;
}

}  // namespace

LockFutures::LockFutures(const analysis::Facts& facts, bool throws) : facts_(facts), throws_(throws) {
  find_objects();
  graphs_.resize(facts.program->function_count());
  for (uint32_t f = 0; f < graphs_.size(); ++f) {
    if (facts.roles_of[f].empty()) continue;
    const auto no = [](uint32_t) { return false; };
    graphs_[f] = std::make_unique<analysis::CodeGraph>(facts.program->function(FunctionId(f)), no, no,
                                                       [&](uint32_t) { return !throws_; });
  }
  for (const analysis::Role& role : facts.roles)
    for (const CodeAddress at : role.created_at) starts_[at].push_back(role.entry);
  fields_ = find_future({});
  find_locks();
  find_joins();
}

void LockFutures::find_objects() {
  number_.assign(facts_.objects.size(), 0);
  uint32_t count = 0;
  for (uint32_t o = 0; o < facts_.objects.size(); ++o) number_[o] = facts_.objects[o].shared ? ++count : 0;
  words_ = 2 * (count + 1) / 64 + 1;
}

void LockFutures::find_locks() {
  std::set<ObjectId> locks;
  for (const Interaction& interaction : facts_.interactions)
    if (interaction.kind == InteractionKind::Lock && interaction.objects.size() == 1)
      locks.insert(interaction.objects[0]);
  for (const ObjectId lock : locks)
    if (is_single(lock)) locks_.emplace(lock.value, find_future({lock, {}}));
}

// Does the object stand for one at run time? A global variable, or what main makes once; no element of an array.
bool LockFutures::is_single(ObjectId object) const {
  const ObjectId part_of = facts_.objects[object.value].whole;
  const ObjectId whole = part_of.valid() ? part_of : object;
  const analysis::Shape& shape = facts_.shapes[whole.value];
  int64_t begin = 0;
  for (const auto& part : facts_.sub_objects[whole.value])
    if (part.object == object) begin = static_cast<int64_t>(part.begin);
  // Elements of an array fold to the first. A mutex is an array of bytes itself.
  constexpr int64_t kMutex = sizeof(pthread_mutex_t);
  if (shape.unit == nullptr || shape.period != 0) return false;
  for (int64_t offset = begin + kMutex; offset < static_cast<int64_t>(shape.size); ++offset)
    if (analysis::fold(shape, offset) == begin) return false;
  const analysis::Object& made = facts_.objects[whole.value];
  if (made.kind == analysis::ObjectKind::Global) return true;
  if (made.kind != analysis::ObjectKind::Stack && made.kind != analysis::ObjectKind::Heap) return false;
  const FunctionId main = facts_.roles[0].entry;
  return made.site.function == main && facts_.roles_of[main.value].size() == 1 &&
         facts_.callers_of[main.value].empty() && graphs_[main.value] && !graphs_[main.value]->in_loop(made.site.index);
}

std::optional<LockFutures::Local> LockFutures::local(uint32_t function, uint32_t index, program::Slot slot,
                                                     unsigned depth) const {
  const std::vector<uint32_t> definitions = graphs_[function]->definitions(index, slot);
  if (depth == 0 || definitions.size() != 1 || definitions[0] == analysis::CodeGraph::kParameter) return std::nullopt;
  const program::Instruction& from = facts_.program->function(FunctionId(function)).code[definitions[0]];
  if (from.op == program::Opcode::StackAllocate) return Local{definitions[0], 0};
  if (from.op != program::Opcode::Move && from.op != program::Opcode::PointerAdd) return std::nullopt;
  auto base = local(function, definitions[0], from.a, depth - 1);
  if (base && from.op == program::Opcode::PointerAdd) base->offset += from.imm;
  return base;
}

// Does an instruction write into the variable, other than calls?
bool LockFutures::is_stored_to(CodeAddress allocation) const {
  const ObjectId variable = facts_.object_of(allocation);
  for (const auto& [key, objects] : facts_.operand_pointees) {
    const CodeAddress at = CodeAddress::from_bits(key / 16);
    const program::Opcode op = facts_.program->function(at.function).code[at.index].op;
    if (op == program::Opcode::Load || program::is_call(op)) continue;
    for (const ObjectId object : objects)
      if (object == variable || facts_.objects[object.value].whole == variable) return true;
  }
  return false;
}

// Joins by main of threads whose handle it gave away for their creation alone.
void LockFutures::find_joins() {
  const FunctionId main = facts_.roles[0].entry;
  if (!main.valid() || !graphs_[main.value] || !facts_.callers_of[main.value].empty()) return;
  const program::Function& code = facts_.program->function(main);
  const auto argument = [&](uint32_t index) {
    return code.calls[static_cast<size_t>(code.code[index].imm)].arguments.at(0).slot;
  };
  std::map<Local, std::vector<CodeAddress>> handles;
  std::set<uint32_t> unclear;  // variables of which a loop creates threads
  for (const auto& [at, entries] : starts_) {
    if (at.function != main || !program::is_call(code.code[at.index].op)) continue;
    if (const auto handle = local(main.value, at.index, argument(at.index))) {
      handles[*handle].push_back(at);
      if (graphs_[main.value]->in_loop(at.index)) unclear.insert(handle->allocation);
    } else {
      return;
    }
  }
  for (const Interaction& join : facts_.interactions_of(main)) {
    if (join.kind != InteractionKind::Join || !program::is_call(code.code[join.at.index].op)) continue;
    const auto loads = graphs_[main.value]->definitions(join.at.index, argument(join.at.index));
    if (loads.size() != 1 || loads[0] == analysis::CodeGraph::kParameter) continue;
    const program::Instruction& load = code.code[loads[0]];
    if (load.op != program::Opcode::Load) continue;
    auto handle = local(main.value, loads[0], load.a);
    if (!handle || unclear.count(handle->allocation)) continue;
    handle->offset += load.imm;
    const auto known = handles.find(*handle);
    if (known == handles.end() || known->second.size() != 1 || is_stored_to({main, handle->allocation})) continue;
    joins_[join.at] = known->second[0];
  }
  for (const auto& [join, creation] : joins_)
    if (!joined_.count(creation)) joined_.emplace(creation, find_future({{}, creation}));
}

bool LockFutures::passes(CodeAddress at, const Gate& gate) const {
  if (gate.creation.function.valid()) {
    const auto join = joins_.find(at);
    return join != joins_.end() && join->second == gate.creation;
  }
  const Interaction* interaction = gate.lock.valid() ? facts_.interaction(at) : nullptr;
  if (interaction == nullptr) return false;
  const bool waits = interaction->kind == InteractionKind::Wait;
  if (!waits && interaction->kind != InteractionKind::Lock) return false;
  const auto& locks = waits ? interaction->mutexes : interaction->objects;
  return locks.size() == 1 && locks[0] == gate.lock;
}

LockFutures::Future LockFutures::find_future(const Gate& gate) const {
  Future future;
  future.before.resize(graphs_.size());
  future.leaves.resize(graphs_.size());
  for (uint32_t f = 0; f < graphs_.size(); ++f) {
    if (!graphs_[f]) continue;
    const size_t size = facts_.program->function(FunctionId(f)).code.size();
    future.before[f].assign(size, Bits(words_));
    future.leaves[f].assign(size, false);
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t f = 0; f < graphs_.size(); ++f) grew |= graphs_[f] && visit(f, gate, future);
  }
  return future;
}

// Once backwards through the function. True if something was added.
bool LockFutures::visit(uint32_t function, const Gate& gate, Future& future) const {
  bool grew = false;
  const auto& blocks = graphs_[function]->blocks();
  for (size_t b = blocks.size(); b-- > 0;) {
    for (uint32_t i = blocks[b].end; i-- > blocks[b].begin;) {
      const CodeAddress at{FunctionId(function), i};
      if (passes(at, gate)) continue;
      Bits bits(words_);
      add_accesses(at, future, bits);
      bool passes = true, leaves = false;
      if (const auto callees = facts_.callees.find(at); callees != facts_.callees.end()) {
        passes = false;
        for (const FunctionId callee : callees->second) {
          if (!graphs_[callee.value]) continue;
          add(bits, future.before[callee.value][0]);
          passes |= future.leaves[callee.value][0];
        }
        leaves = throws_ && passes;
      }
      if (passes) leaves |= add_following(function, i, future, bits);
      grew |= add(future.before[function][i], bits) || (leaves && !future.leaves[function][i]);
      if (leaves) future.leaves[function][i] = true;
    }
  }
  return grew;
}

void LockFutures::add_accesses(CodeAddress at, const Future& future, Bits& bits) const {
  if (const auto started = starts_.find(at); started != starts_.end())
    for (const FunctionId entry : started->second)
      if (graphs_[entry.value]) add(bits, future.before[entry.value][0]);
  const Interaction* interaction = facts_.interaction(at);
  if (interaction == nullptr) return;
  const bool reads = interaction->kind == InteractionKind::Read || interaction->kind == InteractionKind::AtomicRead;
  for (const ObjectId object : interaction->objects) {
    const uint32_t bit = 2 * number_[object.value];
    bits[bit / 64] |= uint64_t{reads ? 1u : 3u} << bit % 64;
  }
}

bool LockFutures::add_following(uint32_t function, uint32_t index, const Future& future, Bits& bits) const {
  const analysis::Block& block = graphs_[function]->blocks()[graphs_[function]->block_of(index)];
  if (index + 1 < block.end) {
    add(bits, future.before[function][index + 1]);
    return future.leaves[function][index + 1];
  }
  bool leaves = block.successors.empty();
  for (const uint32_t next : block.successors) {
    const uint32_t begin = graphs_[function]->blocks()[next].begin;
    add(bits, future.before[function][begin]);
    leaves |= future.leaves[function][begin];
  }
  return leaves;
}

// The pending instruction, then what follows each call of the stack, as long as a function may be left.
LockFutures::Bits LockFutures::of_thread(const Future& future, const Machine& machine, ThreadId thread) const {
  Bits bits(words_);
  bool innermost = true;
  for (const CodeAddress at : machine.call_stack(thread)) {
    if (!at.function.valid() || at.function.value >= graphs_.size() || !graphs_[at.function.value])
      return Bits(words_, ~uint64_t{0});
    if (innermost) {
      add(bits, future.before[at.function.value][at.index]);
      if (!future.leaves[at.function.value][at.index]) break;
    } else if (!add_following(at.function.value, at.index, future, bits)) {
      break;
    }
    innermost = false;
  }
  return bits;
}

// The accesses of others that conflict with the operation; all if its object is not known.
LockFutures::Bits LockFutures::conflicting(const Machine& machine, const Operation& operation) const {
  Bits bits(words_);
  for (uint32_t offset = 0; offset == 0 || offset < operation.size; offset += 4) {
    const ObjectId object = machine.static_object({operation.object.bits + offset});
    if (!object.valid() || number_[object.value] == 0) return Bits(words_, ~uint64_t{0});
    const uint32_t bit = 2 * number_[object.value];
    bits[bit / 64] |= uint64_t{operation.kind == OperationKind::Read ? 2u : 3u} << bit % 64;
  }
  return bits;
}

bool LockFutures::another_conflicts(const Future& future, Machine& machine, ThreadId thread) const {
  const Bits mine = conflicting(machine, machine.pending(thread));
  for (uint32_t t = 0; t < machine.thread_count(); ++t) {
    const ThreadId other(t);
    if (other == thread || machine.status(other) == ThreadStatus::Ended) continue;
    const Bits theirs = of_thread(future, machine, other);
    for (uint32_t w = 0; w < words_; ++w)
      if ((mine[w] & theirs[w]) != 0) return true;
  }
  return false;
}

bool LockFutures::field_access_needs(Machine& machine, ThreadId thread) const {
  return another_conflicts(fields_, machine, thread);
}

bool LockFutures::may_happen_before_needs(Machine& machine, ThreadId thread) const {
  const Bits mine = conflicting(machine, machine.pending(thread));
  std::vector<const Future*> futures{&fields_};
  for (const machine::Pointer held : machine.locks_held(thread)) {
    const ObjectId lock = machine.static_object(held);
    if (const auto known = lock.valid() ? locks_.find(lock.value) : locks_.end(); known != locks_.end())
      futures.push_back(&known->second);
  }
  if (const auto known = joined_.find(machine.created_at(thread)); known != joined_.end())
    futures.push_back(&known->second);
  for (uint32_t t = 0; t < machine.thread_count(); ++t) {
    const ThreadId other(t);
    if (other == thread || machine.status(other) == ThreadStatus::Ended) continue;
    const Operation& next = machine.pending(other);
    if (next.kind == OperationKind::Join && next.object.bits == thread.value) continue;
    const bool comes_before = std::all_of(futures.begin(), futures.end(), [&](const Future* future) {
      const Bits theirs = of_thread(*future, machine, other);
      for (uint32_t w = 0; w < words_; ++w)
        if ((mine[w] & theirs[w]) != 0) return true;
      return false;
    });
    if (comes_before) return true;
  }
  return false;
}

}  // namespace heddle::bench
