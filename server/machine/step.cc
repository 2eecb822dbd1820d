// One step: describe the pending operation, perform it, run the thread's invisible work up to the next one.
#include <algorithm>
#include <utility>

#include "server/machine/hashing.h"
#include "server/machine/model.h"

namespace heddle::machine {

using program::Instruction;
using program::Opcode;

namespace {

constexpr int64_t kLoopFuel = 20'000;  // instructions before a thread is looked at for an endless loop

OperationKind atomic_kind(Opcode op) {
  switch (op) {
    case Opcode::AtomicLoad: return OperationKind::AtomicRead;
    case Opcode::AtomicStore: return OperationKind::AtomicWrite;
    case Opcode::Fence: return OperationKind::Fence;
    default: return OperationKind::AtomicUpdate;
  }
}

void describe_atomic(Machine::State& s, const Thread& t, Operation& op) {
  op.at = s.image_->address(t.pc);
  const Instruction& i = s.image_->program->instruction(op.at);
  op.kind = atomic_kind(i.op);
  op.order = program::order_of(i);
  if (op.kind == OperationKind::Fence) return;
  op.size = (i.width + 7u) / 8;
  const bool has_offset = i.op == Opcode::AtomicLoad || i.op == Opcode::AtomicStore;
  op.object = {t.stack[t.fp + i.a] + (has_offset ? static_cast<uint64_t>(i.imm) : 0)};
}

// Address and size of a plain access of the program.
void describe_access(Machine::State& s, const Thread& t, Operation& op) {
  const Decoded& d = s.image_->code[t.pc];
  const Instruction& i = s.image_->program->instruction(s.image_->address(t.pc));
  const uint64_t* const r = t.stack + t.fp;
  op.size = (i.width + 7u) / 8;
  const bool indexed = d.code >= Code::LoadXL1 && d.code <= Code::StoreXS8;
  if (i.op == Opcode::MemoryCopy || i.op == Opcode::MemorySet) {
    op.size = static_cast<uint32_t>(r[i.imm]);
    const bool second = t.phase == Phase::CopyWrite || i.op == Opcode::MemorySet;
    op.kind = second ? OperationKind::Write : OperationKind::Read;
    op.object = {second ? r[i.a] : r[i.b]};
    return;
  }
  op.kind = i.op == Opcode::Store ? OperationKind::Write : OperationKind::Read;
  if (indexed)
    op.object = {r[d.a] + r[d.b] * static_cast<uint64_t>(d.imm >> 32) +
                 static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(d.imm)))};
  else
    op.object = {r[i.a] + static_cast<uint64_t>(i.imm)};
}

// A library model or call that accesses shared memory: all of the object behind its first pointer argument.
void describe_call_access(Machine::State& s, const Thread& t, Operation& op) {
  const CallInfo& info = s.image_->calls[static_cast<size_t>(s.image_->code[t.pc].imm)];
  op.kind = OperationKind::Write;
  for (const program::Argument& argument : info.site->arguments) {
    const Pointer p{t.stack[t.fp + argument.slot]};
    const Object& o = *s.objects_.find(p.bits);
    const bool freed = (o.flags & kFreed) != 0;  // who frees it again is in conflict with who did
    const uint32_t size = freed ? o.full_size : o.size;
    if (p.bits == 0 || (o.write_size == 0 && !freed) || p.offset() >= size) continue;
    op.object = p;
    op.size = size - p.offset();
    return;
  }
}

// A cancellation point looks at the request. One that finds it ends the thread instead of what it would do; only the
// end of a condition wait takes the mutex first.
void describe_cancellation(Operation& op, const Thread& t) {
  switch (op.kind) {
    case OperationKind::Wait:
    case OperationKind::Wake:
    case OperationKind::Join:
    case OperationKind::SemaphoreWait:
    case OperationKind::SemaphoreTimedWait:
    case OperationKind::Sleep:
    case OperationKind::TestCancel: break;
    default: return;
  }
  op.cancellable = !t.cancel_disabled && !t.ending;
  if (!op.cancellable || !t.cancel_requested || op.kind == OperationKind::Wake) return;
  op.kind = OperationKind::TestCancel;
  op.object = op.second = {};
}

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

uint32_t waiters(const Machine::State& s, uint64_t condition) {
  uint32_t count = 0;
  for (uint32_t id = 0; id < s.root_.thread_limit; ++id) {
    const Thread* w = s.threads_[id];
    if (w != nullptr && w->life == Life::Running && w->phase == Phase::Wake && !w->woken && w->waits_for == condition)
      ++count;
  }
  return count;
}

}  // namespace

const VisibleRow* Machine::State::visible_row(const Thread& t) const {
  const Decoded& d = image_->code[t.pc];
  if (d.code == Code::CallVisible) return image_->calls[static_cast<size_t>(d.imm)].callee.visible;
  Callee callee;
  if (d.code == Code::CallIndirect && image_->callee_of(t.stack[t.fp + d.a], callee)) return callee.visible;
  return nullptr;
}

void Machine::State::describe(Thread& t) {
  Operation& op = t.pending;
  op = {};
  op.thread = ThreadId(t.id);
  if (image_->sections) op.section = section_owner() == t.id ? AtomicSection::Inside : AtomicSection::Beside;
  if (HEDDLE_LIKELY(t.phase == Phase::Normal && image_->code[t.pc].code == Code::VisibleAtomic))
    return describe_atomic(*this, t, op);
  if (t.phase == Phase::ThreadExit || t.phase == Phase::ProcessExit || t.phase == Phase::Abandon ||
      t.phase == Phase::ExitHandler) {
    op.kind = t.phase == Phase::ThreadExit    ? OperationKind::ThreadExit
              : t.phase == Phase::ProcessExit ? OperationKind::ProcessExit
                                              : OperationKind::Unlock;
    op.object = {t.phase == Phase::Abandon ? t.waits_for : t.id};
    const uint32_t pc = current_pc(t);
    const auto& code = image_->program->function(program::FunctionId(t.entry)).code;
    op.at = pc > kBuiltinReturnCode ? image_->address(pc)
                                    : CodeAddress{program::FunctionId(t.entry), static_cast<uint32_t>(code.size()) - 1};
    if (t.phase == Phase::ExitHandler) describe_exit_handler(t, op);
    return;
  }
  if (t.phase == Phase::Input) {
    op.kind = OperationKind::DataChoice;
    op.at = CodeAddress{program::FunctionId(image_->main_function), 0};
    return;
  }
  op.at = image_->address(t.pc);
  if (unknown_call(t) == UnknownCall::Fresh) {
    op.kind = OperationKind::DataChoice;
    return;
  }
  if (const VisibleRow* row = visible_row(t)) {
    const CallInfo& info = image_->calls[static_cast<size_t>(image_->code[t.pc].imm)];
    const auto argument = [&](int8_t n) {
      return n >= 0 && static_cast<size_t>(n) < info.site->arguments.size()
                 ? t.stack[t.fp + info.site->arguments[static_cast<size_t>(n)].slot]
                 : 0;
    };
    op.kind = row->kind;
    const ProcessWide common = process_wide(row->object);
    op.object = common.name != nullptr ? Pointer::make(process_object(common.name, common.size), 0)
                                       : Pointer{argument(row->object)};
    op.second = {argument(row->second)};
    if (row->object == kAtomicSection)
      op.section = row->kind == OperationKind::Lock ? AtomicSection::Begin : AtomicSection::End;
    switch (row->kind) {
      case OperationKind::Create: op.object = {thread_id(t.id, t.children)}; break;
      case OperationKind::Join:
      case OperationKind::Cancel:
      case OperationKind::Detach: op.object = {argument(0) - 1}; break;
      case OperationKind::Wait:
        if (t.phase == Phase::Wake) op.kind = OperationKind::Wake;
        break;
      case OperationKind::BarrierArrive:
        if (t.phase == Phase::BarrierLeave) op.kind = OperationKind::BarrierLeave;
        break;
      case OperationKind::OnceEnter:
        if (t.phase == Phase::OnceLeave) op.kind = OperationKind::OnceLeave;
        break;
      case OperationKind::FutexWait:
        op.kind = system_call_kind(*this, t);
        op.size = op.kind == OperationKind::Yield ? 0 : 4;
        if (op.kind == OperationKind::Yield) op.object = {};
        break;
      case OperationKind::OnceLeave: op.size = 1; break;  // of a guard: its first byte is written
      case OperationKind::Lock:
      case OperationKind::TryLock:
      case OperationKind::TimedLock:
      case OperationKind::Unlock: {
        const SyncObject* m = find_sync(op.object);
        op.nested = m != nullptr && m->kind == SyncKind::Mutex && m->owner == t.id && (m->type & kTypeMask) != 0 &&
                    (row->kind != OperationKind::Unlock || m->count > 1);
        break;
      }
      // Its writer is refused, or told that it is busy.
      case OperationKind::ReadLock:
      case OperationKind::TryReadLock:
      case OperationKind::TimedReadLock:
      case OperationKind::WriteLock:
      case OperationKind::TryWriteLock:
      case OperationKind::TimedWriteLock: {
        const SyncObject* l = find_sync(op.object);
        op.nested = l != nullptr && l->kind == SyncKind::ReadWriteLock && l->owner == t.id;
        break;
      }
      case OperationKind::ReadWriteUnlock: {
        const SyncObject* l = find_sync(op.object);
        op.size = l != nullptr && l->owner != t.id ? 1 : 0;
        break;
      }
      case OperationKind::AtomicRead:
      case OperationKind::AtomicWrite:
      case OperationKind::AtomicUpdate:
        if (row->object == kFileObject) {
          describe_file_call(*this, t, *row, info, op);
          break;
        }
        op.size = row->size != 0 ? row->size : static_cast<uint32_t>(argument(0));
        op.order = MemoryOrder::SequentiallyConsistent;
        break;
      case OperationKind::DataChoice:
        if (row->values.empty() && !assumption_holds(t)) root_.discarded = true;
        break;
      default: break;
    }
    if (image_->cancels) describe_cancellation(op, t);
    return;
  }
  const Instruction& i = image_->program->instruction(op.at);
  if (i.op == Opcode::Call || i.op == Opcode::CallIndirect)
    describe_call_access(*this, t, op);
  else
    describe_access(*this, t, op);
}

uint32_t Machine::State::section_owner() {
  const SyncObject* section = find_sync(Pointer::make(process_object(kSections.name, kSections.size), 0));
  return section == nullptr ? ThreadId::kNone : section->owner;
}

uint32_t Machine::State::alternatives_of_call(Thread& t) {
  const Operation& op = t.pending;
  if (HEDDLE_UNLIKELY(op.section == AtomicSection::Beside)) {
    const uint32_t owner = section_owner();
    // Who waits for something within its section gives way: a deadlock of the section alone is none of the program.
    if (owner != ThreadId::kNone && owner != t.id && threads_[owner]->life == Life::Running &&
        alternatives(*threads_[owner]) != 0)
      return 0;
  }
  if (t.phase == Phase::SetAside || (t.spinning && still_spinning(t) && (!t.gives_way || gives_way(t)))) return 0;
  switch (op.kind) {
    case OperationKind::Lock: {
      const SyncObject* m = find_sync(op.object);
      if (m == nullptr || m->owner == ThreadId::kNone || m->kind == SyncKind::None) return 1;
      return m->owner == t.id && (m->type & kTypeMask) != 0 ? 1 : 0;
    }
    case OperationKind::ReadLock: {
      const SyncObject* l = find_sync(op.object);
      return l == nullptr || l->kind != SyncKind::ReadWriteLock || l->owner == ThreadId::kNone || l->owner == t.id;
    }
    case OperationKind::WriteLock: {
      const SyncObject* l = find_sync(op.object);
      return l == nullptr || l->kind != SyncKind::ReadWriteLock || (l->owner == ThreadId::kNone && l->count == 0) ||
             l->owner == t.id;
    }
    case OperationKind::Wake: {
      const SyncObject* m = find_sync({t.waits_mutex});
      if (m != nullptr && m->owner != ThreadId::kNone && m->owner != t.id) return 0;
      if (t.woken || (op.cancellable && t.cancel_requested)) return 1;
      return options_.spurious_wakeups + (t.timed ? 1 : 0);  // the last one: the time is up
    }
    case OperationKind::FutexReturn: return t.woken || t.timed;
    case OperationKind::FutexWake: return futex_wake_alternatives(*this, t);
    case OperationKind::Signal: return std::max<uint32_t>(1, waiters(*this, op.object.bits));
    case OperationKind::SemaphoreWait: {
      if (const VisibleRow* row = visible_row(t); row != nullptr && row->object == kSignalObject)
        return signal_alternatives(*this, t);
      const SyncObject* s = find_sync(op.object);
      return s == nullptr || s->kind != SyncKind::Semaphore || s->count > 0 || s->destroyed;
    }
    case OperationKind::BarrierLeave: {
      const SyncObject* b = find_sync(op.object);
      return b == nullptr || b->generation != t.waits_since;
    }
    case OperationKind::OnceEnter: {
      const SyncObject* o = find_sync(op.object);
      return o == nullptr || o->kind != SyncKind::Once || o->state != 1 || (o->type == kGuard && o->owner == t.id);
    }
    case OperationKind::Join: {
      if (op.object.bits >= root_.thread_limit || op.object.bits == t.id) return 1;
      const Thread* other = threads_[op.object.bits];
      if (other == nullptr || other->life != Life::Running || other->detached) return 1;
      const VisibleRow* row = visible_row(t);
      return row != nullptr && row->name != "pthread_join" && row->name != "thrd_join";
    }
    case OperationKind::DataChoice: return data_alternatives(t);
    default: return 1;
  }
}

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
  if (options_.record_plain_accesses && event.operation.at.function.valid() &&
      !image_->functions[event.operation.at.function.value].in_project)
    if (const uint32_t user = user_pc(t); user != 0) event.user = image_->address(user);
  event.operation.alternatives = alternatives(t);
  HEDDLE_CHECK(alternative < event.operation.alternatives, "only enabled operations are performed");
  event.alternative = alternative;
  if (t.gives_way) t.watches = 0;
  t.spinning = t.gives_way = false;
  t.pause_hint = t.paused = false;
  t.stores_at_pause = t.stores;
  t.reads_before = t.clock_reads;
  t.undecided = false;
  if (HEDDLE_UNLIKELY(t.by_clock)) {
    t.by_clock = false;
    t.ticks = std::max(t.ticks, t.until);
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
    perform_atomic(t, event);
    failed = t.stores == stores_before;
  } else if (t.phase == Phase::Input) {
    choose_input(t, alternative);
    moves = false;
  } else if (unknown_call(t) == UnknownCall::Fresh) {
    event.value_read = sampled_values(t)[alternative];
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
    // A plain access: the loop executes it as if nobody had made it visible.
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
    t.behind_main = t.phase == Phase::ExitHandler;
    if (!t.behind_main) t.phase = Phase::ProcessExit;
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
