#include "benchmarks/choices/lock_futures.h"

#include <pthread.h>

#include <algorithm>
#include <set>

namespace heddle::bench {

using analysis::Interaction;
using analysis::InteractionKind;
using analysis::ObjectId;
using analysis::RoleId;
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

LockFutures::LockFutures(const analysis::Facts& facts, const machine::Image& image, bool throws)
    : facts_(facts), image_(image), throws_(throws) {
  find_objects();
  graphs_.resize(facts.program->function_count());
  for (uint32_t f = 0; f < graphs_.size(); ++f) {
    if (facts.roles_of[f].empty()) continue;
    const auto no = [](uint32_t) { return false; };
    graphs_[f] = std::make_unique<analysis::CodeGraph>(facts.program->function(FunctionId(f)), no, no,
                                                       [&](uint32_t) { return !throws_; });
  }
  for (uint32_t r = 0; r < facts.roles.size(); ++r)
    for (const CodeAddress at : facts.roles[r].created_at) starts_[at].push_back(RoleId(r));
  find_accesses();
  fields_ = find_future({});
  fields_of_any_ = find_future({{}, nullptr, true});
  find_locks();
  const FunctionId main = facts_.roles[0].entry;
  if (main.valid() && graphs_[main.value] && facts_.callers_of[main.value].empty()) {
    joins_.emplace(facts_, *graphs_[main.value]);
    for (const auto& [creation, passages] : joins_->by_creation())
      joined_.emplace(creation, find_future({{}, &passages, false}));
  }
  counters_ = find_counters(facts_, graphs_);
  for (const Counter& counter : counters_) {
    counted_.emplace_back();
    for (const Counter::Gate& gate : counter.gates) counted_.back().push_back(find_future({{}, &gate.passages, false}));
  }
}

void LockFutures::find_accesses() {
  const RoleObjects objects(facts_, graphs_);
  accesses_.resize(facts_.roles.size());
  const auto bits_of = [&](InteractionKind kind, const std::vector<ObjectId>& touched) {
    Bits bits(words_);
    const bool reads = kind == InteractionKind::Read || kind == InteractionKind::AtomicRead;
    for (const ObjectId object : touched) {
      const uint32_t bit = 2 * number_[object.value];
      bits[bit / 64] |= uint64_t{reads ? 1u : 3u} << bit % 64;
    }
    return bits;
  };
  for (const Interaction& interaction : facts_.interactions) {
    accesses_of_any_.emplace(interaction.at, bits_of(interaction.kind, interaction.objects));
    for (const RoleId role : facts_.roles_of[interaction.at.function.value])
      accesses_[role.value].emplace(interaction.at, bits_of(interaction.kind, objects.objects(role, interaction)));
  }
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
    if (is_single(lock)) locks_.emplace(lock.value, find_future({lock, nullptr, false}));
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

bool LockFutures::passes(CodeAddress at, const Gate& gate) const {
  if (gate.passages != nullptr) return gate.passages->calls.contains(at);
  const Interaction* interaction = gate.lock.valid() ? facts_.interaction(at) : nullptr;
  if (interaction == nullptr) return false;
  const bool waits = interaction->kind == InteractionKind::Wait;
  if (!waits && interaction->kind != InteractionKind::Lock) return false;
  const auto& locks = waits ? interaction->mutexes : interaction->objects;
  return locks.size() == 1 && locks[0] == gate.lock;
}

LockFutures::Future LockFutures::find_future(const Gate& gate) const {
  Future future;
  future.gate = gate;
  future.of.resize(facts_.roles.size());
  for (uint32_t r = 0; r < future.of.size(); ++r) {
    future.of[r].before.resize(graphs_.size());
    future.of[r].leaves.resize(graphs_.size());
    for (const FunctionId f : facts_.roles[r].reachable) {
      if (!graphs_[f.value]) continue;
      const size_t size = facts_.program->function(f).code.size();
      future.of[r].before[f.value].assign(size, Bits(words_));
      future.of[r].leaves[f.value].assign(size, false);
    }
  }
  for (bool grew = true; grew;) {
    grew = false;
    for (uint32_t r = 0; r < future.of.size(); ++r)
      for (const FunctionId f : facts_.roles[r].reachable)
        grew |= graphs_[f.value] && visit(RoleId(r), f.value, future);
  }
  return future;
}

// Once backwards through the function. True if something was added.
bool LockFutures::visit(RoleId role, uint32_t function, Future& future) const {
  bool grew = false;
  RoleFuture& own = future.of[role.value];
  const auto& blocks = graphs_[function]->blocks();
  for (size_t b = blocks.size(); b-- > 0;) {
    for (uint32_t i = blocks[b].end; i-- > blocks[b].begin;) {
      const CodeAddress at{FunctionId(function), i};
      if (passes(at, future.gate)) continue;
      Bits bits(words_);
      add_accesses(role, at, future, bits);
      bool passes = true, leaves = false;
      if (const auto callees = facts_.callees.find(at); callees != facts_.callees.end()) {
        passes = false;
        for (const FunctionId callee : callees->second) {
          if (own.before[callee.value].empty()) continue;
          add(bits, own.before[callee.value][0]);
          passes |= own.leaves[callee.value][0];
        }
        leaves = throws_ && passes;
      }
      if (passes) leaves |= add_following(role, at, future, bits);
      grew |= add(own.before[function][i], bits) || (leaves && !own.leaves[function][i]);
      if (leaves) own.leaves[function][i] = true;
    }
  }
  return grew;
}

void LockFutures::add_accesses(RoleId role, CodeAddress at, const Future& future, Bits& bits) const {
  if (const auto started = starts_.find(at); started != starts_.end())
    for (const RoleId other : started->second) {
      const auto& before = future.of[other.value].before[facts_.roles[other.value].entry.value];
      if (!before.empty()) add(bits, before[0]);
    }
  const auto& accesses = future.gate.any_role ? accesses_of_any_ : accesses_[role.value];
  if (const auto access = accesses.find(at); access != accesses.end()) add(bits, access->second);
}

bool LockFutures::add_following(RoleId role, CodeAddress at, const Future& future, Bits& bits) const {
  const RoleFuture& own = future.of[role.value];
  const auto& before = own.before[at.function.value];
  const auto& may_leave = own.leaves[at.function.value];
  const analysis::CodeGraph& graph = *graphs_[at.function.value];
  const analysis::Block& block = graph.blocks()[graph.block_of(at.index)];
  if (at.index + 1 < block.end) {
    add(bits, before[at.index + 1]);
    return may_leave[at.index + 1];
  }
  bool leaves = block.successors.empty();
  for (const uint32_t next : block.successors) {
    if (future.gate.passages != nullptr && future.gate.passages->ways.contains({at, next})) continue;
    const uint32_t begin = graph.blocks()[next].begin;
    add(bits, before[begin]);
    leaves |= may_leave[begin];
  }
  return leaves;
}

std::vector<RoleId> LockFutures::roles_of(const Machine& machine, ThreadId thread) const {
  if (thread.value == 0) return {RoleId(0)};
  std::vector<RoleId> found;
  const auto started = starts_.find(machine.created_at(thread));
  if (started == starts_.end()) return found;
  for (const RoleId role : started->second)
    if (facts_.roles[role.value].entry == machine.entry_function(thread)) found.push_back(role);
  return found;
}

// The pending instruction, then what follows each call of the stack, as long as a function may be left.
void LockFutures::add_of_role(RoleId role, const Future& future, const std::vector<CodeAddress>& stack,
                              Bits& bits) const {
  const RoleFuture& own = future.of[role.value];
  bool innermost = true;
  for (const CodeAddress at : stack) {
    if (!at.function.valid() || at.function.value >= graphs_.size() || own.before[at.function.value].empty()) {
      bits.assign(words_, ~uint64_t{0});
      return;
    }
    if (innermost) {
      add(bits, own.before[at.function.value][at.index]);
      if (!own.leaves[at.function.value][at.index]) return;
    } else if (!add_following(role, at, future, bits)) {
      return;
    }
    innermost = false;
  }
}

LockFutures::Bits LockFutures::of_thread(const Future& future, const Machine& machine, ThreadId thread) const {
  const std::vector<RoleId> roles = roles_of(machine, thread);
  if (roles.empty()) return Bits(words_, ~uint64_t{0});
  const std::vector<CodeAddress> stack = machine.call_stack(thread);
  Bits bits(words_);
  for (const RoleId role : roles) add_of_role(role, future, stack, bits);
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
  return another_conflicts(fields_of_any_, machine, thread);
}

bool LockFutures::is_written(const Bits& bits, ObjectId object) const {
  const uint32_t bit = 2 * number_[object.value] + 1;
  return (bits[bit / 64] >> bit % 64 & 1) != 0;
}

std::optional<int64_t> LockFutures::changes_left(const Counter& counter, Machine& machine, ThreadId thread) const {
  int64_t left = 0;
  for (uint32_t t = 0; t < machine.thread_count(); ++t) {
    const ThreadId other(t);
    if (other == thread || machine.status(other) == ThreadStatus::Ended) continue;
    if (!is_written(of_thread(fields_, machine, other), counter.object)) continue;
    if (machine.pending(other).at == counter.change) return std::nullopt;  // only it knows what it read
    for (const RoleId role : roles_of(machine, other)) {
      if (!std::binary_search(counter.roles.begin(), counter.roles.end(), role)) return std::nullopt;
      for (const auto& [at, started] : starts_)  // nor may it start others
        if (!fields_.of[role.value].before[at.function.value].empty()) return std::nullopt;
    }
    ++left;
  }
  return left;
}

// The counts that cannot be reached before this thread goes on.
void LockFutures::add_closed_gates(Machine& machine, ThreadId thread, std::vector<const Future*>& futures) const {
  for (size_t c = 0; c < counters_.size(); ++c) {
    const Counter& counter = counters_[c];
    const auto left = changes_left(counter, machine, thread);
    if (!left) continue;
    const auto at = machine::Pointer::make(image_.object_of_global(counter.global.value), counter.offset);
    const uint64_t bits = machine.value_at(at, counter.bytes);
    const int64_t now = counter.bytes == 4 ? static_cast<int32_t>(bits) : static_cast<int64_t>(bits);
    for (size_t g = 0; g < counter.gates.size(); ++g) {
      const int64_t number = counter.gates[g].number;
      if (counter.upwards ? now + *left < number : now - *left > number) futures.push_back(&counted_[c][g]);
    }
  }
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
  add_closed_gates(machine, thread, futures);
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
