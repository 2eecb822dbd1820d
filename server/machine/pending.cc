// The pending operation of a thread: what it is.
#include <fcntl.h>

#include <algorithm>

#include "server/machine/atomics.h"
#include "server/machine/library/model.h"
#include "server/machine/symbolic/values.h"
#include "server/machine/sync/codes.h"

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
    const Object& o = *s.memory_.find(p.bits);
    const bool freed = (o.flags & kFreed) != 0;  // who frees it again is in conflict with who did
    const uint32_t size = freed ? o.full_size : o.size;
    if (p.bits == 0 || (o.write_size == 0 && !freed) || p.offset() >= size) continue;
    op.object = p;
    op.size = size - p.offset();
    return;
  }
}

// Where it returns.
CodeAddress end_of(const program::Program& program, program::FunctionId function) {
  const auto& code = program.function(function).code;
  auto at = static_cast<uint32_t>(code.size());
  while (at > 0 && code[at - 1].op != program::Opcode::Return) --at;
  return {function, (at > 0 ? at : static_cast<uint32_t>(code.size())) - 1};
}

// A call of a row of the library, and the operation that it is.
struct PendingCall {
  Machine::State& state;
  Thread& thread;
  const VisibleRow& row;
  const CallInfo& info;
  Operation& op;

  uint64_t argument(int8_t n) const {
    const auto& arguments = info.site->arguments;
    return n >= 0 && static_cast<size_t>(n) < arguments.size()
               ? thread.stack[thread.fp + arguments[static_cast<size_t>(n)].slot]
               : 0;
  }
};

// The column Pending of operation_kinds.def: what a call makes of its operation, beyond kind, object and second word.

void as_called(const PendingCall&) {}

void new_thread(const PendingCall& call) {
  call.op.object = {call.state.thread_numbers_.number_of(call.thread.id, call.thread.children)};
}

void named_thread(const PendingCall& call) { call.op.object = {call.argument(0) - 1}; }

// A size: it only tries, or waits until a time. Whether the thread has ended by then decides what it returns.
void joined_thread(const PendingCall& call) {
  named_thread(call);
  call.op.size = call.row.size;
}

void end_of_wait(const PendingCall& call) {
  if (call.thread.phase == Phase::Wake) call.op.kind = OperationKind::Wake;
}

void end_of_barrier(const PendingCall& call) {
  if (call.thread.phase == Phase::BarrierLeave) call.op.kind = OperationKind::BarrierLeave;
}

void end_of_once(const PendingCall& call) {
  if (call.thread.phase == Phase::OnceLeave) call.op.kind = OperationKind::OnceLeave;
}

void guard(const PendingCall& call) { call.op.size = 1; }  // its first byte is written

void system_call(const PendingCall& call) {
  Operation& op = call.op;
  op.kind = system_call_kind(call.state, call.thread);
  op.size = op.kind == OperationKind::Yield ? 0 : 4;
  if (op.kind == OperationKind::Yield) op.object = {};
}

// What a signal does may be run at once.
void signal_action(const PendingCall& call) {
  if (call.row.object != kSignalObject) return;
  if ((call.state.image_->shared_states & library::kSignals) != 0)
    call.op.second = {call.op.object.bits + signal_action_place(static_cast<int>(call.argument(1)))};
  if (!call.state.image_->interrupts) return;
  const bool to_thread = call.row.name.starts_with("pthread_") && call.argument(0) < kInterruptsAny;
  call.op.size = to_thread ? static_cast<uint32_t>(call.argument(0)) : kInterruptsAny;
}

void mutex(const PendingCall& call) {
  const SyncObject* m = call.state.find_sync(call.op.object);
  call.op.nested = m != nullptr && m->kind == SyncKind::Mutex && m->owner == call.thread.id &&
                   (m->type & kTypeMask) != 0 && (call.row.kind != OperationKind::Unlock || m->count > 1);
}

// Its writer is refused, or gets "busy".
void read_write_lock(const PendingCall& call) {
  const SyncObject* l = call.state.find_sync(call.op.object);
  if (call.row.kind == OperationKind::WriteLock && call.thread.phase != Phase::WriterWait &&
      prefers_writers(call.state, call.op.object))
    call.op.kind = OperationKind::WriteRequest;
  call.op.nested = l != nullptr && l->kind == SyncKind::ReadWriteLock && l->owner == call.thread.id;
}

void shared_hold(const PendingCall& call) {
  const SyncObject* l = call.state.find_sync(call.op.object);
  call.op.size = l != nullptr && l->owner != call.thread.id ? 1 : 0;
}

void atomic_call(const PendingCall& call) {
  const auto& [state, thread, row, info, op] = call;
  if (row.object == kFileObject) return describe_file_call(state, thread, row, info, op);
  op.size = row.size != 0 ? row.size : static_cast<uint32_t>(call.argument(0));
  op.order = MemoryOrder::SequentiallyConsistent;
  if (is_state_call(row)) return describe_state_call(row, call.argument(0), op);
  if (call_of_atomic(state, thread) != nullptr) op.order = orders_of(state, thread, row).success;
}

void choice(const PendingCall& call) {
  if (call.row.values.empty() && call.row.size != kReceives && !call.state.assumption_holds(call.thread))
    call.state.root_.discarded = true;
}

constexpr void (*kPending[])(const PendingCall&) = {
#define HEDDLE_OPERATION(Kind, Family, Wait, Effect, InWaiting, Watch, CancellationPoint, Pending, ...) Pending,
#include "server/machine/operation_kinds.def"
#undef HEDDLE_OPERATION
};

// A cancellation point looks at the request. One that finds it ends the thread instead of what it would do; only the
// end of a condition wait takes the mutex first.
void describe_cancellation(const PendingCall& call) {
  const Thread& t = call.thread;
  const VisibleRow& row = call.row;
  Operation& op = call.op;
  const auto command = static_cast<int>(call.argument(1));
  if (row.name == "fcntl" && command != F_SETLKW && command != F_OFD_SETLKW) return;
  const VisibleRow* const of_file = row.object == kFileObject ? find_cancellation_point(row.name) : nullptr;
  if (!traits_of(op.kind).cancellation_point && (of_file == nullptr || of_file->size == kPerhaps)) return;
  op.cancellable = !t.cancel_disabled && !t.ending;
  if (!op.cancellable || !t.cancel_requested || op.kind == OperationKind::Wake) return;
  op.kind = OperationKind::TestCancel;
  op.object = op.second = {};
}

void describe_call(Machine::State& s, Thread& t, const VisibleRow& row, Operation& op) {
  const PendingCall call{s, t, row, s.image_->calls[static_cast<size_t>(s.image_->code[t.pc].imm)], op};
  op.kind = row.kind;
  const ProcessWide common = process_wide(row.object);
  op.object = common.name != nullptr ? Pointer::make(s.process_object(common.name, common.size), 0)
                                     : Pointer{call.argument(row.object)};
  op.second = {call.argument(row.second)};
  if (row.object == kAtomicSection)
    op.section = row.kind == OperationKind::Lock ? AtomicSection::Begin : AtomicSection::End;
  kPending[static_cast<uint8_t>(row.kind)](call);
  if (s.image_->cancels) describe_cancellation(call);
}

// The end of a thread or of the process, and what comes on the way there.
void describe_end(Machine::State& s, const Thread& t, Operation& op) {
  op.kind = t.phase == Phase::ThreadExit    ? OperationKind::ThreadExit
            : t.phase == Phase::ProcessExit ? OperationKind::ProcessExit
                                            : OperationKind::Unlock;
  op.object = {t.phase == Phase::Abandon ? t.waits_for : t.id};
  const uint32_t pc = s.current_pc(t);
  op.at = pc > kBuiltinReturnCode ? s.image_->address(pc) : end_of(*s.image_->program, program::FunctionId(t.entry));
  if (t.phase == Phase::ExitHandler) describe_exit_handler(t, op);
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
  describe_next(t);
  if (HEDDLE_UNLIKELY(image_->interrupts)) describe_interruption(t);
}

void Machine::State::describe_next(Thread& t) {
  Operation& op = t.pending;
  op = {};
  op.thread = ThreadId(t.id);
  if (image_->sections) op.section = section_owner() == t.id ? AtomicSection::Inside : AtomicSection::Outside;
  if (HEDDLE_LIKELY(t.phase == Phase::Normal && image_->code[t.pc].code == Code::VisibleAtomic))
    return describe_atomic(*this, t, op);
  if (ends(t.phase)) return describe_end(*this, t, op);
  if (t.phase == Phase::Input) {
    op.kind = OperationKind::DataChoice;
    op.at = CodeAddress{program::FunctionId(image_->main_function), 0};
    return;
  }
  op.at = image_->address(t.pc);
  if (asks_input(*this, t) || unknown_call(t) == UnknownCall::Fresh) {
    op.kind = OperationKind::DataChoice;
    return;
  }
  if (const VisibleRow* row = visible_row(t)) return describe_call(*this, t, *row, op);
  const Instruction& i = image_->program->instruction(op.at);
  if (i.op == Opcode::Call || i.op == Opcode::CallIndirect)
    describe_call_access(*this, t, op);
  else
    describe_access(*this, t, op);
}

}  // namespace heddle::machine
