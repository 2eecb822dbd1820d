// Exit handlers, in programs where several threads register or run them: registering one, and taking the next one off
// the list in exit() or after main, are scheduling points that update the list. As glibc's lock around it does, each
// of them synchronises with those before it.
#include "server/machine/atomics.h"
#include "server/machine/code/registry.h"
#include "server/machine/library/model.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine {
namespace {

constexpr uint8_t kCountBytes = 8;  // the list begins with the number of its handlers

void synchronise_update(Machine::State& s, Thread& t, Pointer list) {
  synchronise_load(s, t, list, kCountBytes, MemoryOrder::AcquireRelease);
  synchronise_store(s, t, list, kCountBytes, MemoryOrder::AcquireRelease, Sequence::Update);
}

void perform_registration(SyncCall& call) {
  synchronise_update(call.state, call.thread, call.operation.object);
  const Callee model = find_callee(call.row.name);
  call.state.run_builtin(call.thread, model.builtin, &call.info, call.thread.pc);
}

constexpr VisibleRow registration(std::string_view name, int8_t list) {
  return {name, OperationKind::AtomicUpdate, list, -1, false, perform_registration, {}, kCountBytes};
}
constexpr VisibleRow kRegistrations[] = {
    registration("atexit", kExitHandlers), registration("__cxa_atexit", kExitHandlers),
    registration("on_exit", kExitHandlers), registration("at_quick_exit", kQuickExitHandlers)};

}  // namespace

const VisibleRow* find_exit_registration(std::string_view name) {
  for (const VisibleRow& row : kRegistrations)
    if (row.name == name) return &row;
  return nullptr;
}

bool stops_before_exit_handler(CallGuest& guest, Pointer list) {
  Thread& t = *guest.t;
  if ((guest.s.image_->shared_states & library::kExitHandlers) == 0) return false;
  if (t.takes_handler) return t.takes_handler = false;
  t.phase = Phase::ExitHandler;
  t.waits_for = list.bits;
  return true;
}

void describe_exit_handler(const Thread& t, Operation& op) {
  op.kind = OperationKind::AtomicUpdate;
  op.object = {t.waits_for};
  op.size = kCountBytes;
  op.order = MemoryOrder::AcquireRelease;
}

void Machine::State::take_exit_handler(Thread& t) {
  synchronise_update(*this, t, {t.waits_for});
  t.phase = Phase::Normal;
  t.takes_handler = true;
  if (!t.after_main) return advance(t, image_->code[t.pc].code);  // it has stopped at this call already
  t.after_main = false;
  if (end_start_function(t)) advance(t, code_[t.pc].code);
}

}  // namespace heddle::machine
