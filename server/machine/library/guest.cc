#include <algorithm>

#include "server/analysis/code_facts.h"
#include "server/library/function.h"
#include "server/machine/code/registry.h"
#include "server/machine/library/model.h"

namespace heddle::machine {

namespace {
constexpr int kNoMemory = 12;
}  // namespace

void CallGuest::begin(Thread& thread, Builtin model, const CallInfo* call, uint32_t calling_fp) {
  t = &thread;
  info = call;
  given = {};
  caller = calling_fp;
  builtin = model;
  in_frame = false;
  has_result = false;
  results[0] = results[1] = 0;
  first_state.fill(0);
}

uint32_t CallGuest::argument_count() const {
  return info != nullptr ? static_cast<uint32_t>(info->site->arguments.size()) : static_cast<uint32_t>(given.size());
}

uint64_t CallGuest::argument(uint32_t n) const {
  if (info == nullptr) return n < given.size() ? given[n] : 0;
  return n < info->site->arguments.size() ? t->stack[caller + info->site->arguments[n].slot] : 0;
}

uint64_t CallGuest::argument_high(uint32_t n) const {
  if (info == nullptr || n >= info->site->arguments.size() || info->site->arguments[n].slots < 2) return 0;
  return t->stack[caller + info->site->arguments[n].slot + 1];
}

long double CallGuest::long_double_argument(uint32_t n) const {
  const uint64_t bits[2] = {argument(n), argument_high(n)};
  long double value = 0;
  std::memcpy(&value, bits, 10);
  return value;
}

VariadicReader& CallGuest::variadic_arguments(uint32_t named) {
  call_arguments_.restart(named);
  return call_arguments_;
}

VariadicReader& CallGuest::variadic_list(Pointer list) {
  list_arguments_.restart(list);
  return list_arguments_;
}

void CallGuest::result_two(uint64_t first, uint64_t second) {
  results[0] = first;
  results[1] = second;
  has_result = true;
}

void CallGuest::result_long_double(long double value) {
  uint64_t bits[2] = {0, 0};
  std::memcpy(bits, &value, 10);
  result_two(bits[0], bits[1]);
}

bool CallGuest::scan_string(Pointer text, uint64_t limit, Object*& object, uint64_t& length) {
  length = 0;
  if (limit == 0) return true;
  object = s.readable(*t, text, 1);
  if (object == nullptr) return false;
  const uint64_t available = object->size - text.offset();
  const uint64_t most = std::min(limit, available);
  const auto* start = object->data + text.offset();
  const auto* end = static_cast<const uint8_t*>(std::memchr(start, 0, most));
  length = end == nullptr ? most : static_cast<uint64_t>(end - start);
  if (end == nullptr && most < limit) return s.bad_access(*t, {text.bits + most}, 1, "reads", false);
  const uint64_t touched = end == nullptr ? length : length + 1;
  if (!s.memory_.all_initialised(*object, text.offset(), touched))
    return s.fault(*t, FaultKind::UninitialisedRead,
                   "reads a string in " + s.describe_object(text) + " that was never written", text,
                   static_cast<uint32_t>(touched));
  if (s.root_.tracking) s.access_shared(*t, *object, text.bits, touched, false);
  return true;
}

// What a model reads it decides by. Padding in what it compares or writes out is no error: some byte must be known.
bool CallGuest::read(Pointer from, void* to, uint32_t size) {
  if (!s.read(*t, from, to, size)) return false;
  Object& o = *s.memory_.find(from.bits);
  return size == 0 || o.init == nullptr || s.check_initialised(*t, o, from, size);
}

bool CallGuest::is_written(Pointer from, uint32_t size) {
  return s.memory_.all_initialised(*s.memory_.find(from.bits), from.offset(), size);
}

bool CallGuest::is_there(Pointer at, uint64_t size, const char* verb) {
  return s.writable(*t, at, size, verb) != nullptr;
}

bool CallGuest::string_length(Pointer text, uint64_t& length) {
  Object* object = nullptr;
  return scan_string(text, ~uint64_t{0}, object, length);
}

bool CallGuest::read_string(Pointer text, std::string& out, uint64_t limit) {
  Object* object = nullptr;
  uint64_t length = 0;
  if (!scan_string(text, limit, object, length)) return false;
  if (length == 0)
    out.clear();
  else
    out.assign(reinterpret_cast<const char*>(object->data + text.offset()), length);
  return true;
}

Pointer CallGuest::allocate(uint64_t size, uint64_t alignment, bool zeroed) {
  const Pointer block = s.make_heap_object(*t, size, zeroed);
  if (block.bits == 0 && !s.fault_raised_) set_errno(kNoMemory);
  return block;
}

bool CallGuest::block_size(Pointer block, uint64_t& size) {
  const Object& o = *s.memory_.find(block.bits);
  if (o.kind == ObjectKindHost::Heap && block.offset() == 0 && !(o.flags & kFreed)) {
    size = o.full_size;
    return true;
  }
  if (o.flags & kFreed)
    return s.fault(*t, FaultKind::UseAfterFree, "uses " + s.describe_object(block) + " after it was freed", block);
  return s.fault(*t, FaultKind::InvalidFree,
                 "uses " + s.describe_object(block) + " as a heap block, which is not from malloc", block);
}

std::string Machine::State::contents_of(const DataRow* row, uint32_t size) {
  std::string contents(row == nullptr ? "" : row->initial);
  contents.resize(size);
  const auto point = [&](const DataLink& link) {
    const uint64_t target = (uint64_t{process_object(link.to, 0)} << 32) + link.addend;
    if (link.offset + 8 <= contents.size()) std::memcpy(contents.data() + link.offset, &target, 8);
  };
  if (row == nullptr) return contents;
  if (!row->points_to.empty()) point({0, row->points_to, 0});
  for (const DataLink& link : row->links) point(link);
  return contents;
}

uint32_t Machine::State::process_object(std::string_view name, uint32_t size) {
  const auto found = process_objects_.find(name);
  if (found != process_objects_.end()) return found->second;
  const DataRow* const row = find_data_row(name);
  if (row != nullptr) size = std::max(size, row->size);
  const std::string contents = contents_of(row, size);
  const uint32_t number = memory_.make_hidden(name, size, contents.data(), true);
  share_variable(memory_.at(number), name);
  process_objects_.emplace(name, number);
  return number;
}

void Machine::State::share_variable(Object& o, std::string_view name) const {
  const std::string_view variable = library::variable_of(name.starts_with(kVariableText) ? "environ" : name);
  for (size_t n = 0; n < std::size(library::kVariables) && !variable.empty(); ++n)
    if (library::kVariables[n].name == variable && (image_->shared_variables >> n & 1) != 0)
      o.flags &= static_cast<uint8_t>(~kUnracy);
}

void Machine::State::use_variables(Thread& t, const library::VariableUse& use) {
  if (!root_.tracking || !analysis::counts_variables(*image_->program, image_->address(t.pc).function)) return;
  for (size_t n = 0; n < std::size(library::kVariables); ++n) {
    const auto used = [n](uint16_t variables) { return (variables >> n & 1) != 0; };
    if (!used(use.reads) && !used(use.changes)) continue;
    const uint32_t number = process_object(library::kVariables[n].name, 8);
    Object& o = memory_.at(number);
    access_shared(t, o, uint64_t{number} << 32, o.full_size, used(use.changes));
  }
}

uint32_t Machine::State::constant_string(std::string_view text) {
  const auto found = constant_strings_.find(text);
  if (found != constant_strings_.end()) return found->second;
  const std::string terminated(text);
  const uint32_t number = memory_.make_hidden("text " + terminated, text.size() + 1, terminated.c_str(), false);
  constant_strings_.emplace(text, number);
  return number;
}

uint64_t Machine::State::thread_object(Thread& t, std::string_view name, uint32_t size) {
  const auto [found, inserted] =
      thread_objects_.try_emplace(std::string(name), static_cast<uint32_t>(thread_objects_.size()));
  HEDDLE_CHECK(found->second < kThreadObjects, "the library has few objects per thread");
  uint64_t& slot = t.thread_locals[image_->program->global_count() + found->second];
  if (slot != 0) return slot;
  const uint32_t number = first_heap_object(t.id) + t.heap_objects++;
  Object& o = memory_.make(number);
  o = {};
  o.data = blocks_.take(size);
  std::memset(o.data, 0, (size + 7) / 8 * 8);
  o.size = o.write_size = o.full_size = size;
  o.born = o.saved_mark = undo_.mark();
  o.made_by = static_cast<uint8_t>(t.id);
  o.kind = ObjectKindHost::Hidden;
  const auto& shared = image_->shared_thread_states;
  o.flags = std::find(shared.begin(), shared.end(), name) == shared.end() ? kUnracy : 0;
  undo_.put(slot, uint64_t{number} << 32);
  return slot;
}

Pointer CallGuest::thread_object(std::string_view name, uint32_t size) { return {s.thread_object(*t, name, size)}; }

namespace {

// Comparisons rely on it: they know from the rows which calls decide what a later look at errno sees. Blocks and files are
// changes by themselves, and a text of numbers fails for characters that no text has.
bool row_says_so(const Machine::State& state, const Thread& t) {
  const program::CodeAddress at = state.image_->address(t.pc);
  if (!at.function.valid()) return true;
  const program::Program& program = *state.image_->program;
  const library::Function* const row = analysis::library_callee(program, at.function, program.instruction(at));
  if (row == nullptr || (row->hidden.writes & library::kError) != 0) return true;
  return row->effect == library::Effect::Allocates || row->effect == library::Effect::Reallocates ||
         row->shared.changes != 0 || row->format >= 0;
}

}  // namespace

bool set_errno(Machine::State& state, Thread& t, int code) {
  const int32_t value = code;
  if (HEDDLE_UNLIKELY(!row_says_so(state, t)))
    return state.fault(t, FaultKind::Unsupported,
                       "a call that sets errno although its row in server/library does not say so");
  return state.write(t, {state.thread_object(t, "errno", 4)}, &value, 4);
}
bool CallGuest::set_errno(int32_t value) { return machine::set_errno(s, *t, value); }

bool CallGuest::fits_room(Pointer to, uint64_t size) {
  const auto known = s.thread_objects_.find(kRooms);
  if (known == s.thread_objects_.end()) return true;
  const Pointer at{t->thread_locals[s.image_->program->global_count() + known->second]};
  if (at.bits == 0) return true;
  const uint64_t count = s.peek(at, 8);
  for (uint64_t n = 0; n < count; ++n) {
    const Pointer room{at.bits + offsetof(Rooms, all) + n * sizeof(Rooms::Room)};
    const uint64_t bytes = s.peek({room.bits + offsetof(Rooms::Room, bytes)}, 8);
    if (s.peek(room, 8) != to.bits || size <= bytes) continue;
    s.writes_past(*t, to, size, bytes);
    return false;
  }
  return true;
}

void CallGuest::output(int descriptor, std::string_view text) {
  (descriptor == 2 ? s.errors_ : s.output_).append(text);
}

uint64_t CallGuest::next_tick() { return s.look_at_clock(*t); }

Status CallGuest::fault(FaultKind kind, std::string message) {
  s.fault(*t, kind, std::move(message));
  return Status::Faulted;
}

Status CallGuest::writes_past(Pointer array, uint64_t bytes, uint64_t room) {
  s.writes_past(*t, array, bytes, room);
  return Status::Faulted;
}

Status CallGuest::exit_process(int code, bool run_handlers) {
  if (s.root_.exiting && run_handlers) {
    // Inside an exit handler this ends the handlers; during another thread's exit() it waits for the process to end.
    if (t->exiting) s.root_.exit_code = code & 0xff;
    t->phase = Phase::ProcessExit;
    return Status::Faulted;
  }
  s.root_.exit_code = code & 0xff;
  s.root_.exiting = true;
  t->exiting = true;
  if (run_handlers && !s.image_->destructors.empty()) {
    const Callee first{Callee::Kind::Function, s.image_->destructors.front(), nullptr, nullptr};
    return enter_model(s, *t, destructors_model, first, {}) ? Status::Call : Status::Faulted;
  }
  t->phase = Phase::ProcessExit;
  return Status::Faulted;  // no fault was raised: the thread stops at its exit
}

uint32_t CallGuest::stage() const { return in_frame ? static_cast<uint32_t>(t->stack[t->fp + kModelStage]) : 0; }

uint64_t& CallGuest::state(uint32_t i) { return in_frame ? t->stack[t->fp + kModelState + i] : first_state[i]; }

uint64_t CallGuest::call_result() const { return in_frame ? t->stack[t->fp] : 0; }

Status CallGuest::call(Pointer function, std::span<const uint64_t> arguments) {
  Callee callee;
  if (!s.image_->callee_of(function.bits, callee)) {
    s.fault(*t, function.bits >> 32 == 0 ? FaultKind::NullDereference : FaultKind::WildPointer,
            "passes a function pointer to the library that is no function", function);
    return Status::Faulted;
  }
  callee = without_scheduling_point(callee);
  if (!in_frame) {
    uint64_t* const r = s.push_frame(*t, kNoFunction, kModelSlots, t->pc + 1);
    if (r == nullptr) return Status::Faulted;
    std::fill_n(r, kModelSlots, 0);
    r[-4] = reinterpret_cast<uint64_t>(builtin);
    std::copy(first_state.begin(), first_state.end(), r + kModelState);
    in_frame = true;
  }
  ++t->stack[t->fp + kModelStage];
  t->pc = kBuiltinReturnCode;
  if (callee.kind == Callee::Kind::Function)
    return s.call_function(*t, callee, arguments, kBuiltinReturnCode) ? Status::Call : Status::Faulted;
  if (callee.kind == Callee::Kind::Builtin) {  // strcmp as a comparison function and the like
    CallGuest nested(s);
    nested.begin(*t, callee.builtin, nullptr, t->fp);
    nested.given = arguments;
    const Status status = callee.builtin(nested);
    if (status == Status::Done) {
      t->stack[t->fp] = nested.results[0];
      t->stack[t->fp + 1] = nested.results[1];
      return Status::Call;
    }
    if (status == Status::Faulted) return Status::Faulted;
  }
  s.fault_not_ours(*t, "has the library call", callee,
                   "a library function calls back a function that is a scheduling point");
  return Status::Faulted;
}

Status Machine::State::run_builtin(Thread& t, Builtin run, const CallInfo* info, uint32_t pc, uint8_t variables) {
  if (HEDDLE_UNLIKELY(variables != 0)) use_variables(t, image_->variable_uses[variables]);
  CallGuest& guest = *guest_;
  guest.begin(t, run, info, t.fp);
  const Status status = run(guest);
  if (HEDDLE_UNLIKELY(fault_raised_)) return Status::Faulted;
  if (HEDDLE_LIKELY(status == Status::Done)) {
    const Decoded& call = code_[pc];
    uint64_t* const r = t.stack + t.fp;
    if (call.width != 0) r[call.dst] = guest.results[0];
    if (call.width > 1) r[call.dst + 1] = guest.results[1];
  }
  return status;
}

// A function that a model had called returned: the innermost frame is the model's.
Status Machine::State::resume_builtin(Thread& t) {
  const auto model = reinterpret_cast<Builtin>(t.stack[t.fp - 4]);
  const uint64_t link = t.stack[t.fp - 1];
  const uint32_t call_pc = static_cast<uint32_t>(link) - 1, calling_fp = static_cast<uint32_t>(link >> 32);
  const bool is_call = call_pc > kBuiltinReturnCode && image_->addresses[call_pc] != CodeAddress{}.bits();
  CallGuest& guest = *guest_;
  const Decoded& call = image_->code[call_pc];  // not as it is where calls that race are scheduling points
  const bool interrupted = model == interruption_model;
  const bool from_call = is_call && model != constructor_model && (!interrupted || ends_interrupted_call(t)) &&
                         (call.code == Code::CallBuiltin || call.code == Code::Allocate ||
                          call.code == Code::CallIndirect || call.code == Code::CallVisible);
  guest.begin(t, model, from_call ? &image_->calls[static_cast<size_t>(call.imm)] : nullptr, calling_fp);
  guest.in_frame = true;
  if (!from_call) guest.given = std::span<const uint64_t>(&t.result, 1);  // exit() after main
  const Status status = model(guest);
  if (fault_raised_) return Status::Faulted;
  if (status != Status::Done) return status;
  t.top = t.fp - kHeader;
  t.fp = calling_fp;
  --t.depth;
  if (t.fp - kHeader < t.saved_from) save_frame(t, t.fp);
  t.pc = call_pc;
  if (t.phase != Phase::Normal) return Status::Done;  // the model ends in a visible operation at its call
  if (from_call) {
    uint64_t* const r = t.stack + t.fp;
    if (call.width != 0) r[call.dst] = guest.results[0];
    if (call.width > 1) r[call.dst + 1] = guest.results[1];
  }
  t.pc = model == constructor_model || (interrupted && !from_call) ? call_pc : call_pc + 1;
  return Status::Done;
}

bool enter_model(Machine::State& state, Thread& t, Builtin model, const Callee& callee,
                 std::span<const uint64_t> arguments) {
  uint64_t* const r = state.push_frame(t, kNoFunction, kModelSlots, t.pc + 1);
  if (r == nullptr) return false;
  std::fill_n(r, kModelSlots, 0);
  r[-4] = reinterpret_cast<uint64_t>(model);
  r[kModelStage] = 1;
  t.pc = kBuiltinReturnCode;
  return state.call_function(t, callee, arguments, kBuiltinReturnCode);
}

Status once_model(Guest& guest) {
  static_cast<CallGuest&>(guest).t->phase = Phase::OnceLeave;
  return Status::Done;
}

// The frame below is another constructor's or main's: it starts when this model is done.
Status constructor_model(Guest&) { return Status::Done; }

Status destructors_model(Guest& guest) {
  auto& g = static_cast<CallGuest&>(guest);
  const uint32_t next = g.stage();
  if (next < g.s.image_->destructors.size())
    return g.call(Pointer::make(g.s.image_->object_of_function(g.s.image_->destructors[next]), 0), {});
  g.t->phase = Phase::ProcessExit;
  return Status::Done;
}

}  // namespace heddle::machine
