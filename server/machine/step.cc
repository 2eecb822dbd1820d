// One step: perform the pending operation, run the thread's invisible work up to the next one.
#include <algorithm>
#include <utility>

#include "server/machine/hashing.h"
#include "server/machine/model.h"
#include "server/machine/symbolic_values.h"

namespace heddle::machine {

using program::Instruction;
using program::Opcode;

namespace {

constexpr int64_t kLoopFuel = 20'000;  // instructions before a thread is looked at for an endless loop

// What a loop may do again and again without changing anything.
bool comes_again(OperationKind kind) {
  switch (kind) {
    case OperationKind::Read:
    case OperationKind::AtomicRead:
    case OperationKind::AtomicUpdate:
    case OperationKind::TryLock:
    case OperationKind::TryReadLock:
    case OperationKind::TryWriteLock:
    case OperationKind::SemaphoreTryWait: return true;
    default: return false;
  }
}

}  // namespace

Outcome Machine::State::perform(uint32_t id, uint32_t alternative) {
  const Outcome outcome = perform_once(id, alternative);
  Thread& t = *threads_[id];
  if (HEDDLE_UNLIKELY(t.undecided) && outcome == Outcome::Running && t.life == Life::Running) decide(t);
  return outcome;
}

Outcome Machine::State::perform_once(uint32_t id, uint32_t alternative) {
  Thread& t = *threads_[id];
  touch_running(t);
  complete_record();
  Event event;
  event.operation = t.pending;
  event.older = std::exchange(finds_older_, false);
  if (options_.record_plain_accesses && event.operation.at.function.valid() &&
      !image_->functions[event.operation.at.function.value].in_project)
    if (const uint32_t user = user_pc(t); user != 0) event.user = image_->address(user);
  event.operation.alternatives = alternatives(t);
  HEDDLE_CHECK(alternative < event.operation.alternatives, "only enabled operations are performed");
  event.operation.second = t.pending.second;  // which outcomes are possible now
  event.alternative = alternative;
  if (t.gives_way) t.watches = 0;
  t.spinning = t.gives_way = false;
  t.pause_hint = t.paused = false;
  t.stores_at_pause = t.stores;
  t.reads_before = t.clock_reads;
  t.undecided = false;
  if (HEDDLE_UNLIKELY(t.by_clock)) {
    t.by_clock = false;
    reach_time(t, t.until);
    pauses_bounded_ = true;
  }
  const uint64_t step = combine(event.operation.at.bits(), event.operation.object.bits);
  const bool again = step == t.last_step && comes_again(event.operation.kind);
  t.same_reads = again ? std::min(t.same_reads + 1, kSameReadsStoring) : 0;
  t.last_step = step;
  t.step_accesses = 0;
  t.recent_accesses = 0;
  t.frames_hash = 0;
  fault_raised_ = false;
  const uint32_t threads_before = root_.live_threads;
  const uint64_t stores_before = t.stores;
  step_hash_ = root_.memory_hash;
  bool moves = true, failed = false, spurious = false;
  Code first = Code::Nop;  // not a sensible start: the operation at pc
  bool resume = false;
  if (t.phase == Phase::ThreadExit) {
    events_.push_back(event);
    t.pc = image_->decoded(event.operation.at);
    if (!end_thread_locals(t)) return root_.outcome;
    next_event(t);
    t.life = Life::Ended;
    t.phase = Phase::Normal;
    end_stack_objects(t, 0, true);
    --root_.live_threads;
    ++root_.unjoined;
    update_tracking();
    if (root_.live_threads == 0) {
      check_at_exit(t);
      finish(0);
    }
    return root_.outcome;
  }
  if (t.phase == Phase::ProcessExit) {
    events_.push_back(event);
    next_event(t);
    check_at_exit(t);
    finish(root_.exit_code);
    return root_.outcome;
  }
  if (t.phase == Phase::Abandon) {
    events_.push_back(event);
    abandon_mutex(t);
    next_event(t);
    end_start_function(t);
    return root_.outcome;
  }
  if (t.phase == Phase::ExitHandler) {
    note_visible(t, false, event.operation);
    events_.push_back(event);
    next_event(t);
    take_exit_handler(t);
    t.written = written(t);
    step_hash_ = root_.memory_hash;
    return root_.outcome;
  }
  const bool atomic = t.phase == Phase::Normal && image_->code[t.pc].code == Code::VisibleAtomic;
  if (HEDDLE_LIKELY(atomic)) {
    if (HEDDLE_UNLIKELY(event.operation.compares && event.operation.second.bits != 0)) {
      event.alternative = next_alternative(event.operation, alternative);
      SymbolicValues(*this, t).answer_exchange(event.alternative);
    }
    perform_atomic(t, event);
    failed = t.stores == stores_before;
  } else if (t.phase == Phase::Input) {
    choose_input(t, alternative);
    moves = false;
  } else if (asks_input(*this, t)) {
    event.alternative = next_alternative(event.operation, alternative);
    SymbolicValues(*this, t).answer(event.alternative);
    moves = false;
  } else if (unknown_call(t) == UnknownCall::Fresh) {
    const uint32_t width = input_width(*this, t);
    event.value_read = width != 0 ? take_input(*this, t, width) : sampled_values(t)[alternative];
    const Decoded& call = image_->code[t.pc];
    if (call.width != 0) t.stack[t.fp + call.dst] = event.value_read;
    if (call.width > 1) t.stack[t.fp + call.dst + 1] = 0;
  } else if (const VisibleRow* row = visible_row(t)) {
    use_synchronisation(t, event.operation);
    SyncCall call{*this,           t,     *row,       image_->calls[static_cast<size_t>(image_->code[t.pc].imm)],
                  event.operation, event, alternative};
    const bool cancelled = event.operation.cancellable && t.cancel_requested;
    if (!cancelled || event.operation.kind == OperationKind::Wake) row->perform(call);
    if (cancelled && !fault_raised_ && (event.operation.kind != OperationKind::Wake || call.failed))
      act_on_cancellation(call);
    moves = !call.stays && !call.pushed;
    failed = call.failed;
    spurious = call.spurious;
  } else if (t.phase == Phase::SpinRead) {
    event.value_read = peek(event.operation.object, event.operation.size);
    t.phase = Phase::Normal;
    moves = false;
  } else {
    // A plain access: the loop executes it as if it were not visible.
    if (event.operation.size <= 8) event.value_read = peek(event.operation.object, event.operation.size);
    if (t.phase == Phase::Normal && event.operation.kind == OperationKind::Read &&
        image_->code[t.pc].code == Code::MemoryCopy) {
      t.phase = Phase::CopyWrite;
      moves = false;
    } else {
      t.phase = Phase::Normal;
      if (event.operation.kind == OperationKind::Write) {
        const Instruction& i = image_->program->instruction(event.operation.at);
        if (i.op == Opcode::Store) event.value_written = t.stack[t.fp + i.b];
        if (i.op == Opcode::MemoryCopy && event.operation.size <= 8)
          event.value_written = peek({t.stack[t.fp + i.b]}, event.operation.size);
      }
      first = image_->code[t.pc].code;
      resume = true;
      skip_record_ = event.operation.size <= 16;
      moves = false;
      failed = event.operation.kind == OperationKind::Read;
    }
  }
  note_visible(t, failed, event.operation);
  event.failed = failed && !spurious;
  events_.push_back(event);
  next_event(t);
  if (fault_raised_) return root_.outcome;
  if (moves) ++t.pc;
  const bool in_vain = failed && comes_again(event.operation.kind);
  if (!in_vain) t.same_reads = 0;
  just_read_ = in_vain ? event.operation.object.bits : 0;
  rereads_ = 0;
  if (t.phase == Phase::Wake || t.phase == Phase::BarrierLeave || t.phase == Phase::FutexReturn ||
      t.phase == Phase::OnceLeave || t.phase == Phase::CopyWrite || t.phase == Phase::Input) {
    describe(t);
    if (t.phase == Phase::Wake || t.phase == Phase::FutexReturn) {
      look_for_spin(t);
      give_way(t);
    }
  } else
    advance(t, resume ? first : code_[t.pc].code);
  t.written = written(t);
  step_hash_ = root_.memory_hash;
  skip_record_ = false;
  just_read_ = 0;
  not_started_ = ThreadId::kNone;
  if (root_.live_threads > threads_before) {
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
  for (uint32_t id = 0; id < root_.thread_limit; ++id) {
    Thread* t = threads_[id];
    if (t != nullptr && t->life == Life::Running && alternatives(*t) != 0) return root_.outcome;
  }
  root_.outcome = Outcome::Faulted;
  return root_.outcome;
}

void Machine::State::advance(Thread& t, Code first) {
  t.frames_hash = 0;
  advance_start_ = root_.path_instructions;
  slice_stores_ = t.stores;
  slice_reads_ = t.clock_reads;
  while (true) {
    const int64_t limit = static_cast<int64_t>(options_.instruction_limit -
                                               std::min(options_.instruction_limit, root_.path_instructions));
    const int64_t given = std::min(limit, kLoopFuel << std::min<uint32_t>(loop_checks_, 10));
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
      if (invisible_loop(t)) break;
      compact_trail();
      ++loop_checks_;
      first = code_[t.pc].code;
      continue;
    }
    if (!settle(t, stop)) break;
    first = std::exchange(pass_access_, false) ? image_->code[t.pc].code : code_[t.pc].code;
  }
  loop_checks_ = 0;
}

// A long stretch without a mark writes the same words again and again; the oldest value of each is enough.
void Machine::State::compact_trail() {
  constexpr uint64_t kEntries = 1 << 22;
  const uint64_t from = mark_ == 0 ? 0 : marks_[mark_].trail;
  if (trail_.size() - from < std::max(kEntries, compact_above_)) return;
  trail_.compact(from);
  compact_above_ = (trail_.size() - from) * 2;
}

// False: the thread stands at a pending operation, or the path ended. True: it has to run on.
bool Machine::State::settle(Thread& t, Stop stop) {
  switch (stop) {
    case Stop::Faulted: return false;
    case Stop::Visible:
      describe(t);
      look_for_spin(t);
      return pass_pause(t);
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
  if (t.id == 0 && !t.left && image_->exit_function.builtin != nullptr) {
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
  if (t.id == 0 && !t.left) {
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
