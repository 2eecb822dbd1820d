// setjmp and longjmp, and what is built on them in C: cleanup handlers, which pthread_exit and cancellation run.
//
// setjmp keeps the frame's slots, and longjmp puts them back: what the function computed in between in slots alone is
// indeterminate in C anyway, and slots that are dead on one way may serve another purpose there.
#include "server/machine/exceptions/jump.h"
#include "server/machine/code/registry.h"
#include "server/machine/exceptions/exceptions.h"
#include "server/machine/interpreter.h"
#include "server/machine/library/model.h"
#include "server/machine/sync/signals.h"

namespace heddle::machine {
namespace {

constexpr uint32_t kBufferSize = 16;
constexpr uint32_t kPreviousHandler = 72;        // in a __pthread_unwind_buf_t: after its jump buffer
constexpr uint32_t kMaskSaved = 64, kMask = 72;  // in a sigjmp_buf: whether it has a signal mask, and which

// What a jmp_buf holds.
struct Buffer {
  uint32_t index = 0;  // into Thread::jumps, + 1
  uint32_t thread = 0;
  uint64_t frame = 0;
};
static_assert(sizeof(Buffer) == kBufferSize);

uint64_t frame_of(const Thread& t) { return uint64_t{t.pc} << 32 | t.fp; }

Jump& find_jump(Machine::State& s, Thread& t) {
  const uint64_t frame = frame_of(t), born = t.stack[t.fp - 2];
  while (t.jump_count > 0) {  // the frames of these have ended
    const Jump& last = t.jumps[t.jump_count - 1];
    const uint32_t fp = static_cast<uint32_t>(last.frame);
    if (fp < t.fp || (fp == t.fp && last.born == born)) break;
    --t.jump_count;
  }
  for (uint32_t n = t.jump_count; n-- > 0 && static_cast<uint32_t>(t.jumps[n].frame) == t.fp;)
    if (t.jumps[n].frame == frame) return t.jumps[n];
  if (t.jump_count == t.jump_capacity) {
    const uint32_t capacity = std::max<uint32_t>(8, t.jump_capacity * 2);
    auto* larger = s.undo_.take_zeroed<Jump>(capacity);
    std::copy_n(t.jumps, t.jump_count, larger);
    t.jumps = larger;
    t.jump_capacity = capacity;
  }
  Jump& jump = t.jumps[t.jump_count++];
  s.undo_.put(jump.frame, frame);
  s.undo_.put(jump.born, born);
  return jump;
}

bool save_mask(CallGuest& g, bool saves) {
  const int32_t saved = saves ? 1 : 0;
  if (!g.write({g.argument(0) + kMaskSaved}, &saved, 4)) return false;
  const uint64_t blocked = saves ? signals::sets_of(g.s, *g.t).blocked : 0;
  return !saves || g.write({g.argument(0) + kMask}, &blocked, 8);
}

// Of siglongjmp: what is pending would have to run its handler now.
bool restore_mask(CallGuest& g, Pointer buffer) {
  int32_t saved = 0;
  uint64_t blocked = 0;
  if (!g.read({buffer.bits + kMaskSaved}, &saved, 4)) return false;
  if (saved == 0) return true;
  if (!g.read({buffer.bits + kMask}, &blocked, 8)) return false;
  const signals::Sets now = signals::sets_of(g.s, *g.t);
  if (now.blocked == blocked) return true;
  if (((now.pending | signals::process_pending(g.s)) & ~blocked) != 0) {
    g.fault(FaultKind::Unsupported, "siglongjmp() that unblocks a signal which is pending");
    return false;
  }
  return g.write(signals::own_signals(g), &blocked, 8);
}

template <bool may_save>
Status set_jump(Guest& guest) {
  auto& g = static_cast<CallGuest&>(guest);
  Thread& t = *g.t;
  Jump& jump = find_jump(g.s, t);
  const uint32_t count = t.top - t.fp;
  if (jump.capacity < count) {
    uint64_t* const slots = g.s.undo_.take_zeroed<uint64_t>(count);
    g.s.undo_.put(jump.slots, slots);
    g.s.undo_.put(jump.capacity, uint64_t{count});
  }
  for (uint32_t n = 0; n < count; ++n)
    if (jump.slots[n] != t.stack[t.fp + n]) g.s.undo_.put(jump.slots[n], t.stack[t.fp + n]);
  const Buffer buffer{static_cast<uint32_t>(&jump - t.jumps) + 1, t.id, jump.frame};
  if (!g.write(g.pointer(0), &buffer, kBufferSize)) return Status::Faulted;
  if (!save_mask(g, may_save && g.int_argument(1) != 0)) return Status::Faulted;
  g.result_int(0);
  return Status::Done;
}

bool bad_jump(Machine::State& s, Thread& t, const std::string& why) {
  return s.fault(t, FaultKind::Trap, "longjmp with a buffer " + why);
}

// The thread continues after the setjmp that filled the buffer.
bool jump_to(Machine::State& s, Thread& t, Pointer at, uint32_t value) {
  Buffer buffer;
  if (!s.read(t, at, &buffer, kBufferSize)) return false;
  if (buffer.index == 0) return bad_jump(s, t, "that no setjmp has filled");
  if (buffer.thread != t.id) return bad_jump(s, t, "that " + s.thread_name(buffer.thread) + " has filled");
  const auto gone = [&] { return bad_jump(s, t, "of a function that has returned"); };
  if (buffer.index > t.jump_count) return gone();
  const Jump jump = t.jumps[buffer.index - 1];
  const uint32_t target = static_cast<uint32_t>(jump.frame);
  if (jump.frame != buffer.frame || target > t.fp) return gone();
  uint32_t fp = t.fp;
  while (fp > target) fp = static_cast<uint32_t>(t.stack[fp - 1] >> 32);
  if (fp != target || t.stack[fp - 2] != jump.born) return gone();
  while (t.fp > target)
    if (!leave_frame(s, t)) return false;
  std::copy_n(jump.slots, t.top - t.fp, t.stack + t.fp);
  t.pc = static_cast<uint32_t>(jump.frame >> 32);
  const Decoded& call = s.code_[t.pc];
  if (call.width != 0) t.stack[t.fp + call.dst] = value;
  ++t.pc;
  return true;
}

Status long_jump(Guest& guest) {
  auto& g = static_cast<CallGuest&>(guest);
  const uint32_t value = static_cast<uint32_t>(g.argument(1));
  const Pointer buffer = g.pointer(0);
  if (!jump_to(g.s, *g.t, buffer, value == 0 ? 1 : value)) return Status::Faulted;
  return restore_mask(g, buffer) ? Status::Call : Status::Faulted;
}

Status register_handler(Guest& guest) {
  auto& g = static_cast<CallGuest&>(guest);
  const uint64_t previous = g.t->cleanup;
  if (!g.write({g.argument(0) + kPreviousHandler}, &previous, 8)) return Status::Faulted;
  g.t->cleanup = g.argument(0);
  return Status::Done;
}

Status unregister_handler(Guest& guest) {
  auto& g = static_cast<CallGuest&>(guest);
  return g.read({g.argument(0) + kPreviousHandler}, &g.t->cleanup, 8) ? Status::Done : Status::Faulted;
}

// The thread stops here when it has no handler left: it is at its end.
Status ended(CallGuest& g, uint64_t result) {
  return end_thread(g.s, *g.t, result) && !g.t->left ? Status::Call : Status::Faulted;
}

Status next_handler(Guest& guest) {
  auto& g = static_cast<CallGuest&>(guest);
  return ended(g, g.t->result);
}

bool is_initialiser(const Thread& t, uint32_t fp) {
  return static_cast<uint32_t>(t.stack[fp - 2]) == kNoFunction &&
         t.stack[fp - 4] == reinterpret_cast<uint64_t>(&once_model);
}

Status exit_thread(Guest& guest) { return ended(static_cast<CallGuest&>(guest), guest.argument(0)); }

}  // namespace

bool leave_frame(Machine::State& s, Thread& t) {
  const uint64_t* const r = t.stack + t.fp;
  if (static_cast<uint32_t>(r[-2]) == kNoFunction) {
    if (r[-4] == reinterpret_cast<uint64_t>(&interruption_model) && t.handler_in_wait)
      return s.fault(t, FaultKind::Unsupported, "leaving a handler that interrupts a wait by a jump");
    for (const Builtin model : {once_model, key_destructors_model, constructor_model, destructors_model})
      if (r[-4] == reinterpret_cast<uint64_t>(model))
        return s.fault(t, FaultKind::Unsupported,
                       model == once_model
                           ? "leaving the initialiser of pthread_once by a jump"
                           : "leaving a function that runs before main, at the end of a thread or at exit "
                             "by a jump or the end of the thread");
  }
  s.pop_frame(t);
  return true;
}

bool in_initialiser(const Thread& t, uint32_t above) {
  for (uint32_t fp = t.fp; fp > above && static_cast<uint32_t>(t.stack[fp - 1]) != 0;
       fp = static_cast<uint32_t>(t.stack[fp - 1] >> 32))
    if (is_initialiser(t, fp)) return true;
  return false;
}

void leave_initialiser(Machine::State& s, Thread& t, uint64_t exception) {
  while (!is_initialiser(t, t.fp)) s.pop_frame(t);
  s.pop_frame(t);
  t.phase = Phase::OnceLeave;
  t.exception = exception;
  t.unwinding = true;
}

bool end_thread(Machine::State& s, Thread& t, uint64_t result) {
  t.ending = true;
  t.result = result;
  if (t.cleanup == 0) return Exceptions(s, t).leave_thread();
  const uint64_t handler = t.cleanup;
  Buffer buffer;
  if (!s.read(t, {handler}, &buffer, kBufferSize)) return false;
  if (in_initialiser(t, static_cast<uint32_t>(buffer.frame))) {
    leave_initialiser(s, t, 0);
    return true;
  }
  if (!s.read(t, {handler + kPreviousHandler}, &t.cleanup, 8)) return false;
  return jump_to(s, t, {handler}, 1);
}

std::span<const BuiltinRow> jump_builtins() {
  static const BuiltinRow rows[] = {
      {"setjmp", set_jump<false>},
      {"_setjmp", set_jump<false>},
      {"sigsetjmp", set_jump<true>},
      {"__sigsetjmp", set_jump<true>},
      {"longjmp", long_jump},
      {"_longjmp", long_jump},
      {"siglongjmp", long_jump},
      {"__longjmp_chk", long_jump},
      {"__pthread_register_cancel", register_handler},
      {"__pthread_register_cancel_defer", register_handler},
      {"__pthread_unregister_cancel", unregister_handler},
      {"__pthread_unregister_cancel_restore", unregister_handler},
      {"__pthread_unwind_next", next_handler},
      {"pthread_exit", exit_thread},
      {"thrd_exit", exit_thread},
  };
  return rows;
}

}  // namespace heddle::machine
