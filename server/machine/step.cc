// One step: perform the pending operation, run the thread's invisible work up to the next one.
#include <algorithm>
#include <utility>

#include "server/machine/hashing.h"
#include "server/machine/library/model.h"
#include "server/machine/symbolic/fill.h"
#include "server/machine/symbolic/values.h"
#include "server/machine/sync/time.h"

namespace heddle::machine {

using program::Instruction;
using program::Opcode;

namespace {

using State = Machine::State;

// What a loop may do again and again without changing anything.
bool comes_again(OperationKind kind) {
  return waiting_of(kind) == Waiting::Tries || kind == OperationKind::Read || kind == OperationKind::AtomicRead ||
         kind == OperationKind::AtomicUpdate;
}

// How the thread continues after its operation.
struct Performed {
  bool moves = true;  // to the next instruction
  bool failed = false, spurious = false;
  bool resumes = false;    // the interpreter performs it, with:
  Code first = Code::Nop;  // no sensible start: the operation at pc
};

Event begin_step(State& s, Thread& t, uint32_t alternative) {
  Event event;
  event.operation = t.pending;
  event.older = std::exchange(s.finds_older_, false);
  if (s.options_.record_plain_accesses && event.operation.at.function.valid() &&
      !s.image_->functions[event.operation.at.function.value].in_project)
    if (const uint32_t user = s.user_pc(t); user != 0) event.user = s.image_->address(user);
  event.operation.alternatives = s.alternatives(t);
  HEDDLE_CHECK(alternative < event.operation.alternatives, "only enabled operations are performed");
  event.operation.second = t.pending.second;  // which outcomes are possible now
  event.alternative = alternative;
  const uint64_t step = combine(event.operation.at.bits(), event.operation.object.bits);
  s.spin_.begin_operation(t, step == t.last_step && comes_again(event.operation.kind));
  t.last_step = step;
  t.step_accesses = 0;
  t.recent_accesses = 0;
  t.frames_hash = t.decisive_frames = 0;
  s.fault_raised_ = false;
  s.spin_.begin_step();
  return event;
}

// The last thread, after main has left, ends the process as exit(0) does. It is ordered after the ends of the others.
void end_process(State& s, Thread& t) {
  for (uint32_t id = 0; id < s.threads_.limit(); ++id)
    if (const Thread* other = s.threads_[id]; other != nullptr && other->life == Life::Ended)
      s.clocks_.acquire(t, other->clock);
  s.next_event(t);
  t.phase = Phase::Normal;
  t.ends_process = true;
  t.result = 0;
  if (s.end_start_function(t)) s.advance(t, s.code_[t.pc].code);
}

void end_thread(State& s, Thread& t, const Event& event) {
  t.pc = s.image_->decoded(event.operation.at);
  const bool last = s.threads_.live() == 1 && s.threads_[0]->left && s.image_->exit_function.builtin != nullptr;
  if (last && !t.ends_process) return end_process(s, t);
  if (!s.end_thread_locals(t)) return;
  s.next_event(t);
  s.threads_.end(t);
  t.phase = Phase::Normal;
  s.end_stack_objects(t, 0, true);
  s.update_tracking();
  if (s.threads_.live() != 0) return;
  s.check_at_exit(t);
  s.finish(0);
}

// See ends(Phase).
void perform_end(State& s, Thread& t, const Event& event) {
  if (t.phase == Phase::ExitHandler) s.spin_.note_visible(t, false, event.operation);
  s.events_.push_back(event);
  switch (t.phase) {
    case Phase::ThreadExit: return end_thread(s, t, event);
    case Phase::ProcessExit:
      s.next_event(t);
      s.check_at_exit(t);
      return s.finish(s.root_.exit_code);
    case Phase::Abandon:
      s.abandon_mutex(t);
      s.next_event(t);
      s.end_start_function(t);
      return;
    default:
      s.next_event(t);
      s.take_exit_handler(t);
      s.spin_.end_step(t);
  }
}

void perform_call(State& s, Thread& t, const VisibleRow& row, Event& event, Performed& done) {
  s.use_synchronisation(t, event.operation);
  SyncCall call{s,
                t,
                row,
                s.image_->calls[static_cast<size_t>(s.image_->code[t.pc].imm)],
                event.operation,
                event,
                event.alternative};
  const bool passes = event.operation.kind == OperationKind::TestCancel &&
                      event.alternative + 1 < event.operation.alternatives;  // it may be no cancellation point
  const bool cancelled = event.operation.cancellable && t.cancel_requested && !passes;
  const bool wakes = event.operation.kind == OperationKind::Wake;
  if (wakes || (!cancelled && time_is_written(call))) row.perform(call);
  if (cancelled && !s.fault_raised_ && (!wakes || call.failed)) act_on_cancellation(call);
  done.moves = !call.stays && !call.pushed;
  done.failed = call.failed;
  done.spurious = call.spurious;
}

// A plain access: the interpreter performs it as if it were not visible.
void perform_plain(State& s, Thread& t, Event& event, Performed& done) {
  const Operation& op = event.operation;
  done.moves = false;
  if (op.size <= 8) event.value_read = s.peek(op.object, op.size);
  const bool copies = s.image_->code[t.pc].code == Code::MemoryCopy;
  if (t.phase == Phase::Normal && op.kind == OperationKind::Read && copies) {
    t.phase = Phase::CopyWrite;
    return;
  }
  t.phase = Phase::Normal;
  if (op.kind == OperationKind::Write) {
    const Instruction& i = s.image_->program->instruction(op.at);
    if (i.op == Opcode::Store) event.value_written = t.stack[t.fp + i.b];
    if (i.op == Opcode::MemoryCopy && op.size <= 8) event.value_written = s.peek({t.stack[t.fp + i.b]}, op.size);
  }
  done.first = s.image_->code[t.pc].code;
  done.resumes = true;
  s.skip_record_ = op.size <= 16;
  done.failed = op.kind == OperationKind::Read;
}

void perform_atomic_instruction(State& s, Thread& t, Event& event, Performed& done) {
  const uint64_t stores_before = t.stores;
  if (HEDDLE_UNLIKELY(event.operation.compares && event.operation.second.bits != 0)) {
    event.alternative = next_alternative(event.operation, event.alternative);
    SymbolicValues(s, t).answer_exchange(event.alternative);
  }
  s.perform_atomic(t, event);
  done.failed = t.stores == stores_before;
}

// What a call of a function returns that nothing defines, and what it fills.
void take_unknown_result(State& s, Thread& t, Event& event) {
  const std::vector<FilledRange> filled = ranges_to_fill(s, t);
  const uint32_t width = input_width(s, t);
  event.value_read = width != 0 ? take_input(s, t, width) : s.sampled_values(t)[event.alternative];
  const Decoded& call = s.image_->code[t.pc];
  if (call.width != 0) t.stack[t.fp + call.dst] = event.value_read;
  if (call.width > 1) t.stack[t.fp + call.dst + 1] = 0;
  fill_memory(s, t, filled);
}

Performed perform_operation(State& s, Thread& t, Event& event) {
  Performed done;
  if (HEDDLE_UNLIKELY(event.operation.kind == OperationKind::TakeSignal)) {
    if (!s.take_signal(t, event)) perform_call(s, t, *s.visible_row(t), event, done);
    done.moves = false;
    return done;
  }
  t.defers_signal = false;
  if (HEDDLE_LIKELY(t.phase == Phase::Normal && s.image_->code[t.pc].code == Code::VisibleAtomic)) {
    perform_atomic_instruction(s, t, event, done);
  } else if (t.phase == Phase::Input) {
    s.choose_input(t, event.alternative);
    done.moves = false;
  } else if (asks_input(s, t)) {
    event.alternative = next_alternative(event.operation, event.alternative);
    SymbolicValues(s, t).answer(event.alternative);
    done.moves = false;
  } else if (s.unknown_call(t) == UnknownCall::Fresh) {
    take_unknown_result(s, t, event);
  } else if (const VisibleRow* row = s.visible_row(t)) {
    perform_call(s, t, *row, event, done);
  } else if (t.phase == Phase::SpinRead) {
    event.value_read = s.peek(event.operation.object, event.operation.size);
    t.phase = Phase::Normal;
    done.moves = false;
  } else {
    perform_plain(s, t, event, done);
  }
  return done;
}

// The second half of a wait, of a copy and the like is pending at once.
bool has_second_half(Phase phase) {
  return phase == Phase::Wake || phase == Phase::BarrierLeave || phase == Phase::FutexReturn ||
         phase == Phase::OnceLeave || phase == Phase::CopyWrite || phase == Phase::Input || phase == Phase::WriterWait;
}

// Runs the thread up to its next pending operation.
void continue_after(State& s, Thread& t, const Operation& op, const Performed& done) {
  if (done.moves) ++t.pc;
  const bool in_vain = done.failed && comes_again(op.kind);
  s.spin_.begin_run(t, in_vain ? op.object.bits : 0);
  const bool at_its_end = op.kind == OperationKind::TakeSignal && ends(t.phase);
  if (!has_second_half(t.phase) && !at_its_end) {
    s.advance(t, done.resumes ? done.first : s.code_[t.pc].code);
  } else {
    s.describe(t);
    if (t.phase == Phase::Wake || t.phase == Phase::FutexReturn) {
      s.spin_.look_for_spin(t);
      s.spin_.give_way(t);
    }
  }
  s.spin_.end_step(t);
  s.skip_record_ = false;
}

bool stores_word(const Operation& op) {
  const bool stores = op.kind == OperationKind::Write || op.kind == OperationKind::AtomicWrite ||
                      op.kind == OperationKind::AtomicUpdate;
  return stores && op.size != 0 && op.size <= 8;
}

// In execution graphs a later read may find what is overwritten now, or what was there first.
void note_overwritten(State& s, Thread& t, const Operation& op) {
  if (!stores_word(op)) return;
  const symbolic::Expression held = SymbolicValues(s, t).held(op.object, op.size);
  s.symbols_->note_initial(op.object.bits, held);
}

void note_stored(State& s, Thread& t, const Operation& op) {
  if (!stores_word(op)) return;
  const symbolic::Expression held = SymbolicValues(s, t).held(op.object, op.size);
  if (held.number != 0) s.symbols_->note_store(held);
}

}  // namespace

// Before a second thread exists, the order of operations is no question. After the first thousand, which short programs
// do not reach, they follow each other without scheduling points between them.
bool Machine::State::continues_alone(Thread& t) {
  constexpr uint32_t kAloneFrom = 1'000, kAloneTo = 20'000'000;
  if (threads_.limit() != 1 || root_.total_events < kAloneFrom || root_.total_events > kAloneTo) return false;
  if (root_.outcome != Outcome::Running || fault_raised_ || t.life != Life::Running || t.phase != Phase::Normal ||
      options_.exact_spins)
    return false;
  switch (family_of(t.pending.kind)) {
    case OperationFamily::Memory:
    case OperationFamily::Mutex:
    case OperationFamily::ReadWriteLock:
    case OperationFamily::Semaphore:
    case OperationFamily::Once:
    case OperationFamily::Life: return alternatives(t) == 1;
    default: return false;
  }
}

Outcome Machine::State::perform(uint32_t id, uint32_t alternative) {
  constexpr uint32_t kAtOnceMost = 100'000;  // so that the search is asked now and then whether to stop
  Thread& t = *threads_[id];
  Outcome outcome = perform_deciding(t, alternative);
  alone_ = true;
  alone_from_ = events_.size();
  for (uint32_t n = 0; n < kAtOnceMost && HEDDLE_UNLIKELY(continues_alone(t)); ++n) {
    outcome = perform_deciding(t, 0);
    undo_.compact();
  }
  alone_ = false;
  return outcome;
}

Outcome Machine::State::perform_deciding(Thread& t, uint32_t alternative) {
  const Outcome outcome = perform_once(t.id, alternative);
  if (HEDDLE_LIKELY(!t.spin.undecided()) || outcome != Outcome::Running || t.life != Life::Running) return outcome;
  spin_.decide(t);
  return root_.outcome;
}

Outcome Machine::State::perform_once(uint32_t id, uint32_t alternative) {
  Thread& t = *threads_[id];
  touch_running(t);
  complete_record();
  Event event = begin_step(*this, t, alternative);
  if (HEDDLE_UNLIKELY(ends(t.phase)) && event.operation.kind != OperationKind::TakeSignal) {
    perform_end(*this, t, event);
    return root_.outcome;
  }
  const uint32_t threads_before = threads_.live();
  const bool notes = HEDDLE_UNLIKELY(symbols_ != nullptr) && options_.exact_spins;
  if (notes) note_overwritten(*this, t, event.operation);
  const Performed done = perform_operation(*this, t, event);
  const bool earlier = earlier_.next;
  if (HEDDLE_UNLIKELY(earlier)) {
    if (notes) note_stored(*this, t, event.operation);
    keep_newest(event.operation);
  }
  spin_.note_visible(t, done.failed, event.operation);
  event.failed = done.failed && !done.spurious;
  event.alone = alone_;
  events_.push_back(event);
  if (HEDDLE_UNLIKELY(alone_)) thin_out_alone();
  next_event(t);
  if (fault_raised_) return root_.outcome;
  continue_after(*this, t, event.operation, done);
  if (notes && !earlier) note_stored(*this, t, event.operation);
  not_started_ = ThreadId::kNone;
  if (threads_.live() > threads_before) {
    not_started_ = static_cast<uint32_t>(event.operation.object.bits);
    if (!fault_raised_) start_created();
  }
  return root_.outcome;
}

void Machine::State::start_created() {
  Thread& created = *threads_[not_started_];
  not_started_ = ThreadId::kNone;
  advance(created, code_[created.pc].code);
}

// The thread is never enabled again.
void Machine::State::stand_still(Thread& t, CodeAddress at) {
  t.phase = Phase::SetAside;
  t.spinning = false;
  t.pending = {};
  t.pending.kind = OperationKind::Yield;
  t.pending.thread = ThreadId(t.id);
  t.pending.at = at;
  ++root_.set_aside;
}

Outcome Machine::State::set_aside() {
  while (root_.outcome == Outcome::Faulted) {
    Thread& t = *threads_[faults_.back().thread.value];
    stand_still(t, faults_.back().places.front().at);
    root_.outcome = Outcome::Running;
    fault_raised_ = false;
    if (not_started_ != ThreadId::kNone) start_created();
  }
  for (uint32_t id = 0; id < threads_.limit(); ++id) {
    Thread* t = threads_[id];
    if (t != nullptr && t->life == Life::Running && alternatives(*t) != 0) return root_.outcome;
  }
  root_.outcome = Outcome::Faulted;
  return root_.outcome;
}

void Machine::State::advance(Thread& t, Code first) {
  t.frames_hash = t.decisive_frames = 0;
  spin_.begin_slices(t);
  while (true) {
    const int64_t limit = static_cast<int64_t>(options_.instruction_limit -
                                               std::min(options_.instruction_limit, root_.path_instructions));
    const int64_t given = std::min(limit, spin_.slice_instructions());
    fuel_ = given * kFuelPerOperation;
    const Stop stop = run_thread(t, first);
    const uint64_t used = static_cast<uint64_t>(given - fuel_ / kFuelPerOperation);
    root_.path_instructions += used;
    instructions_ += used;
    if (stop == Stop::Loop) {
      if (root_.path_instructions >= options_.instruction_limit) {
        fault(t, FaultKind::InstructionLimit, "ran " + std::to_string(options_.instruction_limit) + " instructions");
        break;
      }
      if (spin_.invisible_loop(t)) break;
      undo_.compact();
      spin_.next_slice();
      first = code_[t.pc].code;
      continue;
    }
    if (!settle(t, stop)) break;
    first = spin_.takes_pending_access() ? image_->code[t.pc].code : code_[t.pc].code;
  }
}

// False: the thread stands at a pending operation, or the path ended. True: it has to run on.
bool Machine::State::settle(Thread& t, Stop stop) {
  switch (stop) {
    case Stop::Faulted: return false;
    case Stop::Visible:
      describe(t);
      spin_.look_for_spin(t);
      return spin_.pass_pause(t);
    case Stop::Exited:
      if (t.phase == Phase::ProcessExit || t.phase == Phase::ExitHandler) {
        describe(t);
        return false;
      }
      HEDDLE_CHECK(t.left, "a model that stops without a fault ends the thread or the process");
      break;
    default: break;
  }
  return end_start_function(t);
}

bool Machine::State::end_start_function(Thread& t) {
  const bool ends_process = (t.id == 0 && !t.left) || t.ends_process;
  if (ends_process && image_->exit_function.builtin != nullptr) {
    CallGuest& guest = *guest_;
    guest.begin(t, image_->exit_function.builtin, nullptr, t.fp);
    guest.given = std::span<const uint64_t>(&t.result, 1);
    const Status status = image_->exit_function.builtin(guest);
    if (fault_raised_) return false;
    if (status == Status::Call) return true;
    t.after_main = t.phase == Phase::ExitHandler;
    if (!t.after_main) t.phase = Phase::ProcessExit;
    describe(t);
    return false;
  }
  if (ends_process) {
    root_.exit_code = static_cast<int32_t>(t.result & 0xff);
    t.phase = Phase::ProcessExit;
    describe(t);
    return false;
  }
  Pointer destructor;
  uint64_t value = 0;
  while (next_thread_destructor(*this, t, destructor, value)) {
    const std::span<const uint64_t> argument(&value, 1);
    Callee callee;
    const bool known = image_->callee_of(destructor.bits, callee);
    callee = without_scheduling_point(callee);
    if (known && callee.kind == Callee::Kind::Function)
      return enter_model(*this, t, key_destructors_model, callee, argument);
    if (!known) {
      fault(t, FaultKind::WildPointer, "the destructor of a key is no function", destructor);
      return false;
    }
    if (callee.kind != Callee::Kind::Builtin) {
      fault_not_ours(t, "destroys by", callee, "a destructor of a key that is a scheduling point of the library");
      return false;
    }
    guest_->begin(t, callee.builtin, nullptr, t.fp);  // free, most often
    guest_->given = argument;
    callee.builtin(*guest_);
    if (fault_raised_) return false;
  }
  if (holds_robust_mutex(t, t.waits_for)) {
    t.phase = Phase::Abandon;
    describe(t);
    return false;
  }
  t.phase = Phase::ThreadExit;
  describe(t);
  return false;
}

void Machine::State::finish(int code) {
  complete_record();
  root_.exit_code = code;
  root_.outcome = Outcome::Finished;
}

}  // namespace heddle::machine
