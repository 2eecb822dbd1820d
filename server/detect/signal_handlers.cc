#include "server/detect/signal_handlers.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "server/detect/library_waits.h"
#include "server/program/operands.h"

namespace heddle::detect {
namespace {

using machine::Machine;
using machine::Operation;
using machine::OperationFamily;
using program::FunctionId;
using program::Instruction;
using program::Opcode;
using program::Slot;

constexpr uint32_t kOwn = ~1u, kAnyVariable = ~0u;  // no number of a variable: a local one; any that is not known

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Reads functions of the program, those that they call by name, too.
class Effects {
 public:
  explicit Effects(const program::Program& program) : program_(program) {}

  void add(FunctionId function) {
    if (!seen_.insert(function.value).second) return;
    globals_.clear();
    std::vector<FunctionId> called;
    for (const Instruction& i : program_.function(function).code) read(function, i, called);
    for (const FunctionId callee : called) add(callee);
  }

  bool stores_to(uint32_t global) const { return stores_anywhere_ || stored_.contains(global); }
  bool passes(uint32_t global) const { return passes_unknown_ || passed_.contains(global); }
  bool calls(std::initializer_list<std::string_view> names) const {
    return calls_unknown_ ||
           std::any_of(calls_.begin(), calls_.end(), [&](std::string_view name) { return is_one_of(name, names); });
  }

 private:
  void read(FunctionId function, const Instruction& i, std::vector<FunctionId>& called) {
    switch (i.op) {
      case Opcode::Store:
      case Opcode::AtomicStore:
      case Opcode::AtomicUpdate:
      case Opcode::CompareExchange:
      case Opcode::MemoryCopy:
      case Opcode::MemorySet: note_store(i.a); break;
      case Opcode::Call: read_call(function, i, called); break;
      case Opcode::CallIndirect: stores_anywhere_ = passes_unknown_ = calls_unknown_ = true; break;
      default: break;
    }
    program::for_each_definition(program_.function(function), i, [&](Slot slot, uint32_t count) {
      globals_.erase(globals_.lower_bound(slot), globals_.lower_bound(slot + count));
    });
    if (i.op == Opcode::StackAllocate) globals_[i.dst] = kOwn;
    if (i.op != Opcode::SymbolAddress) return;
    const program::Binding binding = program_.binding(function, program::SymbolId(i.a));
    if (binding.kind == program::BindingKind::Global) globals_[i.dst] = binding.id;
  }

  void note_store(Slot address) {
    if (const auto known = globals_.find(address); known != globals_.end())
      stored_.insert(known->second);
    else
      stores_anywhere_ = true;
  }

  void read_call(FunctionId function, const Instruction& call, std::vector<FunctionId>& called) {
    const program::Binding callee = program_.binding(function, program::SymbolId(call.a));
    if (callee.kind == program::BindingKind::Function) {
      called.emplace_back(callee.id);
      calls_.insert(program_.function(FunctionId(callee.id)).display_name);  // also of a library that is guest text
    }
    if (callee.kind != program::BindingKind::External) return;
    calls_.insert(program_.externals()[callee.id].name);
    for (const program::Argument& argument : program_.function(function).calls[static_cast<size_t>(call.imm)].arguments)
      if (const auto known = globals_.find(argument.slot); known != globals_.end())
        passed_.insert(known->second);
      else
        passes_unknown_ = true;
  }

  const program::Program& program_;
  std::set<uint32_t> seen_;
  std::map<Slot, uint32_t> globals_;  // slots of the function that is read which hold the address of a variable
  std::set<uint32_t> stored_, passed_;
  std::set<std::string_view> calls_;
  bool stores_anywhere_ = false, passes_unknown_ = false, calls_unknown_ = false;
};

// Does one of the variables lie where the operation waits? Where it is no variable: `otherwise`.
template <typename Holds>
bool any_variable(const Machine& machine, const Operation& operation, bool otherwise, const Holds& holds) {
  const analysis::Facts& facts = *machine.facts();
  std::vector<machine::Pointer> places = {operation.object};
  if (operation.spinning)
    for (const machine::Pointer at : machine.waits_for(operation.thread)) places.push_back(at);
  return std::any_of(places.begin(), places.end(), [&](machine::Pointer at) {
    const analysis::ObjectId part = machine.static_object(at);
    if (!part.valid()) return false;
    const analysis::ObjectId whole = facts.objects[part.value].whole, object = whole.valid() ? whole : part;
    bool is_variable = false;
    for (uint32_t global = 0; global < machine.program().global_count(); ++global) {
      if (facts.object_of(program::GlobalId(global)) != object) continue;
      is_variable = true;
      if (holds(global)) return true;
    }
    return !is_variable && otherwise;
  });
}

}  // namespace

bool handler_may_release(const Machine& machine, const Operation& operation) {
  if (machine.facts() == nullptr) return false;
  Effects effects(machine.program());
  for (const FunctionId handler : machine.signal_handlers()) effects.add(handler);
  if (!descriptor_wait(machine, operation.thread, operation).function.empty())
    return effects.calls({"write", "writev", "send", "sendto", "sendmsg", "eventfd_write", "close", "shutdown"});
  const auto passes = [&](uint32_t global) { return effects.passes(global); };
  switch (machine::family_of(operation.kind)) {
    case OperationFamily::Semaphore:
      return effects.calls({"sem_post"}) && any_variable(machine, operation, effects.passes(kAnyVariable), passes);
    case OperationFamily::Condition:
      return effects.calls({"pthread_cond_signal", "pthread_cond_broadcast", "cnd_signal", "cnd_broadcast"}) &&
             any_variable(machine, operation, effects.passes(kAnyVariable), passes);
    case OperationFamily::Memory:
    case OperationFamily::Futex:
    case OperationFamily::Thread:
      return operation.kind != machine::OperationKind::Join &&
             any_variable(machine, operation, effects.stores_to(kAnyVariable),
                          [&](uint32_t global) { return effects.stores_to(global); });
    default: return false;
  }
}

}  // namespace heddle::detect
