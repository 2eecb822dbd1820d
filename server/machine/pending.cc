// The pending operation of a thread: what it is, and in how many ways it can go now.
#include <algorithm>

#include "server/machine/model.h"
#include "server/machine/symbolic_values.h"
#include "server/machine/sync_codes.h"

namespace heddle::machine {

using program::Instruction;
using program::Opcode;

namespace {

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
  op.compares = i.op == Opcode::CompareExchange && s.options_.unknown_data == UnknownData::Symbolic;
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

// A library model or call that accesses shared memory: all of the object that its first pointer argument points to.
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

// Or waits until a time: whether the thread has ended by then decides what it returns.
bool only_tries_to_join(const VisibleRow& row) {
  return row.name.starts_with("pthread_") && row.name != "pthread_join";
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

// Where it returns.
CodeAddress end_of(const program::Program& program, program::FunctionId function) {
  const auto& code = program.function(function).code;
  auto at = static_cast<uint32_t>(code.size());
  while (at > 0 && code[at - 1].op != program::Opcode::Return) --at;
  return {function, (at > 0 ? at : static_cast<uint32_t>(code.size())) - 1};
}

// The destruction of a barrier waits until all threads of a round that is over have left it.
bool is_being_left(Machine::State& s, const Thread& t) {
  const SyncObject* b = s.find_sync(t.pending.object);
  if (b == nullptr || b->kind != SyncKind::Barrier) return false;
  for (uint32_t id = 0; id < s.root_.thread_limit; ++id) {
    const Thread* other = s.threads_[id];
    if (other != nullptr && other->life == Life::Running && other->phase == Phase::BarrierLeave &&
        other->pending.object == t.pending.object && other->waits_since != b->generation)
      return true;
  }
  return false;
}

// Who holds such a lock for reading, and reads once more: a writer that may come before is taken to have come. Readers
// that hold it not are not held up: that the writer goes first is another interleaving.
bool waits_after_writer(Machine::State& s, const Thread& t, const SyncObject& l) {
  if (l.type != kPrefersWriters || l.readers == 0 || s.clock(l.readers).at[t.id] == 0) return false;
  for (uint32_t id = 0; id < s.root_.thread_limit; ++id) {
    const Thread* w = s.threads_[id];
    if (w != nullptr && w != &t && w->life == Life::Running && w->pending.kind == OperationKind::WriteLock &&
        w->pending.object == t.pending.object)
      return true;
  }
  return false;
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
  if (image_->sections) op.section = section_owner() == t.id ? AtomicSection::Inside : AtomicSection::Outside;
  if (HEDDLE_LIKELY(t.phase == Phase::Normal && image_->code[t.pc].code == Code::VisibleAtomic))
    return describe_atomic(*this, t, op);
  if (t.phase == Phase::ThreadExit || t.phase == Phase::ProcessExit || t.phase == Phase::Abandon ||
      t.phase == Phase::ExitHandler) {
    op.kind = t.phase == Phase::ThreadExit    ? OperationKind::ThreadExit
              : t.phase == Phase::ProcessExit ? OperationKind::ProcessExit
                                              : OperationKind::Unlock;
    op.object = {t.phase == Phase::Abandon ? t.waits_for : t.id};
    const uint32_t pc = current_pc(t);
    op.at = pc > kBuiltinReturnCode ? image_->address(pc) : end_of(*image_->program, program::FunctionId(t.entry));
    if (t.phase == Phase::ExitHandler) describe_exit_handler(t, op);
    return;
  }
  if (t.phase == Phase::Input) {
    op.kind = OperationKind::DataChoice;
    op.at = CodeAddress{program::FunctionId(image_->main_function), 0};
    return;
  }
  op.at = image_->address(t.pc);
  if (asks_input(*this, t)) {
    op.kind = OperationKind::DataChoice;
    return;
  }
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
      case OperationKind::Join: op.size = only_tries_to_join(*row); [[fallthrough]];
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
      case OperationKind::SemaphorePost:  // what the signal does may be run at once
        if (row->object == kSignalObject && (image_->shared_states & library::kSignals) != 0)
          op.second = {op.object.bits + signal_action_place(static_cast<int>(argument(1)))};
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
      // Its writer is refused, or gets "busy".
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
        if (is_state_call(*row)) describe_state_call(*row, argument(0), op);
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

// Another thread is in a section, and can run. One that waits for something within its section gives way: a deadlock of
// the section alone is none of the program.
bool Machine::State::waits_for_section(const Thread& t) {
  const uint32_t owner = section_owner();
  return owner != ThreadId::kNone && owner != t.id && threads_[owner]->life == Life::Running &&
         alternatives(*threads_[owner]) != 0;
}

uint32_t Machine::State::alternatives_of_call(Thread& t) {
  const Operation& op = t.pending;
  if (HEDDLE_UNLIKELY(op.section == AtomicSection::Outside) && waits_for_section(t)) return 0;
  if (t.phase == Phase::SetAside || (t.spinning && still_spinning(t) && (!t.gives_way || gives_way(t)))) return 0;
  switch (op.kind) {
    case OperationKind::Lock: {
      const SyncObject* m = find_sync(op.object);
      if (m == nullptr || m->owner == ThreadId::kNone || m->kind == SyncKind::None) return 1;
      return m->owner == t.id && (m->type & kTypeMask) != 0 ? 1 : 0;
    }
    case OperationKind::ReadLock: {
      const SyncObject* l = find_sync(op.object);
      if (l == nullptr || l->kind != SyncKind::ReadWriteLock) return 1;
      return (l->owner == ThreadId::kNone || l->owner == t.id) && !waits_after_writer(*this, t, *l);
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
    case OperationKind::Destroy: return !is_being_left(*this, t);
    case OperationKind::BarrierLeave: {
      const SyncObject* b = find_sync(op.object);
      return b == nullptr || b->generation != t.waits_since;
    }
    case OperationKind::OnceEnter: {
      const SyncObject* o = find_sync(op.object);
      return o == nullptr || o->kind != SyncKind::Once || o->state != 1 || (o->type == kGuard && o->owner == t.id);
    }
    case OperationKind::Join: {
      if (op.object.bits == kAllOthers) return others_are_stuck(t);
      if (op.object.bits >= root_.thread_limit || op.object.bits == t.id) return 1;
      const Thread* other = threads_[op.object.bits];
      if (other == nullptr || other->life != Life::Running || other->detached) return 1;
      return op.size != 0;
    }
    case OperationKind::AtomicUpdate: return op.compares ? exchange_alternatives(t) : 1u;
    case OperationKind::DataChoice: return data_alternatives(t);
    default: return 1;
  }
}

}  // namespace heddle::machine
