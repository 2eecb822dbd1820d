#include "server/detect/lock_wrappers.h"

#include <algorithm>

#include "server/analysis/analysis.h"

namespace heddle::detect {

using analysis::InteractionKind;
using machine::Machine;
using machine::ThreadId;
using program::CodeAddress;
using program::FunctionId;

namespace {

constexpr size_t kInstructionsMost = 64;  // of a wrapper
constexpr uint32_t kCallsMost = 4;        // from a wrapper to the library's function

// What a function and those it calls do to synchronise.
struct Uses {
  uint32_t locks = 0, tries = 0, others = 0;
  bool too_many() const { return locks > 1 || others > 0; }
};

void add(Uses& uses, InteractionKind kind) {
  switch (kind) {
    case InteractionKind::Lock:
    case InteractionKind::ReadLock: ++uses.locks; return;
    case InteractionKind::TryLock: ++uses.tries; return;
    case InteractionKind::Unlock:
    case InteractionKind::Wait:
    case InteractionKind::Signal:
    case InteractionKind::SemaphoreWait:
    case InteractionKind::SemaphorePost:
    case InteractionKind::Barrier:
    case InteractionKind::Create:
    case InteractionKind::Once:
    case InteractionKind::Join: ++uses.others; return;
    default: return;
  }
}

void look(const analysis::Facts& facts, FunctionId function, uint32_t calls, Uses& uses) {
  for (const analysis::Interaction& interaction : facts.interactions_of(function)) add(uses, interaction.kind);
  if (calls == kCallsMost) return;
  const size_t count = facts.program->function(function).code.size();
  for (uint32_t n = 0; n < count && !uses.too_many(); ++n) {
    const auto callees = facts.callees.find({function, n});
    if (callees == facts.callees.end()) continue;
    for (const FunctionId callee : callees->second)
      if (callee != function) look(facts, callee, calls + 1, uses);
  }
}

bool takes_one_lock(const Uses& uses) { return uses.locks + uses.tries > 0 && !uses.too_many(); }

// Not of a function to which it hands the wrapper, as pthread_once.
bool calls_wrapper(const Machine& machine, CodeAddress at) {
  const analysis::Facts& facts = *machine.facts();
  const program::Instruction& call = machine.program().instruction(at);
  if (call.op == program::Opcode::Call &&
      machine.program().binding(at.function, program::SymbolId(call.a)).kind != program::BindingKind::Function)
    return false;
  const auto callees = facts.callees.find(at);
  return callees != facts.callees.end() &&
         std::any_of(callees->second.begin(), callees->second.end(), [&](FunctionId callee) {
           Uses uses;
           look(facts, callee, 0, uses);
           return takes_one_lock(uses);
         });
}

bool in_project(const Machine& machine, CodeAddress at) {
  return at.function.valid() && machine.program().function(at.function).in_project;
}

}  // namespace

bool wraps_lock(const Machine& machine, FunctionId function) {
  const analysis::Facts* const facts = machine.facts();
  if (facts == nullptr || !function.valid()) return false;
  const program::Function& code = machine.program().function(function);
  if (!code.in_project || code.code.size() > kInstructionsMost) return false;
  Uses uses;
  look(*facts, function, 0, uses);
  return takes_one_lock(uses);
}

LockCall lock_call(const Machine& machine, ThreadId thread, CodeAddress at) {
  LockCall call{at, {}};
  bool wrapped = wraps_lock(machine, at.function), inside = wrapped || !in_project(machine, at);
  for (const CodeAddress frame : machine.call_stack(thread)) {
    if (!inside) break;
    if (!in_project(machine, frame) || frame == at) continue;
    if (wrapped && !calls_wrapper(machine, frame)) break;
    if (call.user.function.valid()) call.inner = call.user;
    call.user = frame;
    inside = wrapped = wraps_lock(machine, frame.function);
  }
  return call;
}

LockCall lock_call(const Machine& machine, CodeAddress at, const CallRecorder& calls,
                   const std::vector<CallFrame>& frames, uint32_t& caller) {
  LockCall call{at, {}};
  while (caller != 0 && wraps_lock(machine, at.function) && calls_wrapper(machine, calls.address_of(caller))) {
    call.inner = at;
    at = call.user = calls.address_of(caller);
    caller = frames[caller - 1].caller;
  }
  return call;
}

}  // namespace heddle::detect
