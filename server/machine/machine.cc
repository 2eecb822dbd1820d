#include "server/machine/machine.h"

#include <algorithm>

#include "server/machine/exceptions/type_info.h"
#include "server/machine/hashing.h"
#include "server/machine/library/model.h"
#include "server/program/select.h"

namespace heddle::machine {

Machine::State::State(ImagePtr image, Options options)
    : image_(std::move(image)), options_(std::move(options)), guest_(std::make_unique<CallGuest>(*this)) {
  code_ = image_->code.data();
  functions_run_.resize(image_->functions.size());
  make_objects();
  if (options_.plain_accesses == PlainAccesses::Visible) make_all_visible();
  make_visible(image_->shared_with_handlers);
  start();
}

Machine::State::~State() = default;

void Machine::State::make_objects() {
  prepare_inputs();  // before a variable of the program makes the environment smaller
  const std::vector<Object>& prototypes = image_->objects;
  uint8_t* const data = undo_.take_zeroed<uint8_t>(image_->data_bytes + 8);
  for (uint32_t number = 1; number < prototypes.size(); ++number) {
    Object& o = memory_.make(number);
    o = prototypes[number];
    if (o.kind == ObjectKindHost::Global || o.kind == ObjectKindHost::Constant)
      image_->fill_initial(o.made_at, o.data = data + image_->data_offsets[o.made_at]);
  }
  // The program's name for a variable and the library's find the same object, also through pointers in other rows.
  for (uint32_t e = 0; e < image_->external_count(); ++e)
    if (const DataRow* row = image_->external_data[e]) {
      const std::string_view variable = library::variable_of(row->name);
      process_objects_.try_emplace(std::string(variable.empty() ? row->name : variable),
                                   image_->object_of_external(image_->first_name[e]));
    }
  for (uint32_t e = 0; e < image_->external_count(); ++e) {
    const DataRow* row = image_->external_data[e];
    if (row == nullptr) continue;
    const std::string contents = contents_of(row, row->size);
    const uint32_t hidden = memory_.make_hidden(row->name, row->size, contents.data(), true);
    const uint32_t number = image_->object_of_external(e);
    memory_.at(number) = memory_.at(hidden);
    memory_.at(number).kind = ObjectKindHost::External;
    memory_.at(number).made_at = e;
    share_variable(memory_.at(number), row->name);
    memory_.at(hidden) = {};
    memory_.forget_newest_hidden();
  }
  find_type_info_vtables(*this);
}

// main(argc, argv, envp) after the constructors, in a frame that calls them one after the other.
void Machine::State::start() {
  Thread& t = make_thread(0, ThreadId::kNone, 0);
  clocks_.at(t.clock).at[0] = 1;
  t.entry = image_->main_function;
  if (image_->main_function == program::FunctionId::kNone) {
    t.fp = kHeader;
    t.top = kHeader + 2;
    std::memset(t.stack, 0, t.top * 8);
    t.stack[t.fp - 2] = kNoFunction;
    t.entry = 0;
    fault(t, FaultKind::UnknownExternal, "the program has no 'main'");
    return;
  }
  const uint64_t arguments[3] = {inputs_.arguments.size(), uint64_t{inputs_.argument_vector} << 32,
                                 uint64_t{inputs_.environment_vector} << 32};
  start_frames(*this, t, {Callee::Kind::Function, image_->main_function, nullptr, nullptr}, arguments);
  // Constructors run first: their frames lie on top of main's, the first of them innermost.
  for (auto f = image_->constructors.rbegin(); f != image_->constructors.rend(); ++f) {
    const uint32_t back = t.pc;
    uint64_t* const r = push_frame(t, kNoFunction, kModelSlots, back + 1);
    if (r == nullptr) return;
    std::fill_n(r, kModelSlots, 0);
    r[-4] = reinterpret_cast<uint64_t>(&constructor_model);
    call_function(t, {Callee::Kind::Function, *f, nullptr, nullptr}, std::span<const uint64_t>(arguments),
                  kBuiltinReturnCode);
  }
  if (!inputs_.choices.empty()) {
    t.phase = Phase::Input;
    return describe(t);
  }
  settle_inputs(t);
  advance(t, code_[t.pc].code);
}

Mark Machine::State::mark() {
  complete_record();
  const Undo::Position undo = undo_.begin_mark();
  if (marks_.size() <= undo_.mark()) marks_.resize(undo_.mark() + 1);
  MarkRecord& record = marks_[undo_.mark()];
  record.root = root_;
  record.undo = undo;
  record.memory = memory_.position();
  record.shadow = shadow_.position();
  record.threads = threads_.position();
  record.clocks = clocks_.position();
  record.sync_objects = sync_objects_.position();
  record.atomics = atomics_.position();
  record.events = events_.size();
  record.faults = faults_.size();
  record.output = output_.size();
  record.errors = errors_.size();
  record.recent = recent_.size();
  record.symbols = symbols_ == nullptr ? 0 : symbols_->mark();
  return {undo.trail, undo_.mark()};
}

void Machine::State::rewind(const Mark& mark) {
  HEDDLE_CHECK(mark.number <= undo_.mark() && mark.number > 0, "marks nest");
  const MarkRecord& record = marks_[mark.number];
  undo_.rewind(static_cast<uint32_t>(mark.number), record.undo);
  memory_.rewind(record.memory);
  shadow_.rewind(record.shadow);
  clocks_.rewind(record.clocks);
  sync_objects_.rewind(record.sync_objects);
  atomics_.rewind(record.atomics);
  root_ = record.root;
  threads_.rewind(record.threads);
  events_.shrink(record.events);
  faults_.resize(record.faults);
  output_.resize(record.output);
  errors_.resize(record.errors);
  recent_.shrink(record.recent);
  if (HEDDLE_UNLIKELY(symbols_ != nullptr)) symbols_->rewind(record.symbols);
  recorded_write_ = false;
  fault_raised_ = false;
}

void Machine::State::own_code() {
  if (!own_code_.empty()) return;
  own_code_ = image_->code;
  code_ = own_code_.data();
}

void Machine::State::make_all_visible() {
  own_code();
  for (Decoded& d : own_code_) {
    const bool access = (d.code >= Code::LoadL1 && d.code <= Code::StoreWide) || d.code == Code::MemoryCopy ||
                        d.code == Code::MemorySet;
    if (access && !(d.flags & kLocal)) d.code = Code::VisibleAccess;
  }
}

Machine::Machine(ImagePtr image, Options options)
    : state_(std::make_unique<State>(std::move(image), std::move(options))) {}
Machine::~Machine() = default;

const analysis::Facts* Machine::facts() const { return state_->image_->facts.get(); }
const program::Program& Machine::program() const { return *state_->image_->program; }
uint32_t Machine::thread_count() const { return state_->threads_.limit(); }

ThreadStatus Machine::status(ThreadId thread) const {
  Thread* t = thread.value < state_->threads_.limit() ? state_->threads_[thread.value] : nullptr;
  if (t == nullptr || t->life != Life::Running) return ThreadStatus::Ended;
  return state_->alternatives(*t) == 0 ? ThreadStatus::Blocked : ThreadStatus::Pending;
}

std::string Machine::thread_name(ThreadId thread) const { return state_->thread_name(thread.value); }
program::FunctionId Machine::entry_function(ThreadId thread) const {
  // A number below thread_count() may be that of a thread which was not created on this path.
  const Thread* t = thread.value < state_->threads_.limit() ? state_->threads_[thread.value] : nullptr;
  return t == nullptr || t->life == Life::None ? program::FunctionId{} : program::FunctionId(t->entry);
}
std::vector<program::FunctionId> Machine::given_functions(ThreadId thread) const {
  std::vector<program::FunctionId> result;
  if (!entry_function(thread).valid()) return result;
  for (const uint32_t given : state_->threads_[thread.value]->given)
    if (given != 0) result.emplace_back(given - 1);
  return result;
}
CodeAddress Machine::created_at(ThreadId thread) const {
  return state_->image_->address(state_->threads_[thread.value]->created_at);
}

const Operation& Machine::pending(ThreadId thread) {
  Thread& t = *state_->threads_[thread.value];
  t.pending.alternatives = t.life == Life::Running ? state_->alternatives(t) : 0;
  t.pending.spinning = t.spinning;
  return t.pending;
}

Outcome Machine::perform(ThreadId thread, uint32_t alternative) { return state_->perform(thread.value, alternative); }
Outcome Machine::set_aside() { return state_->set_aside(); }
const std::set<CodeAddress>& Machine::raced_with_reported() const { return state_->raced_with_reported_; }
void Machine::leave_out_rounds() { state_->spin_.bound_pauses(); }
bool Machine::pauses_bounded() const { return state_->spin_.bounds().pauses_bounded; }
bool Machine::looks_unordered() const { return state_->looks_unordered_; }
bool Machine::sleeps_for_ever() const { return state_->spin_.bounds().sleeps_for_ever; }
bool Machine::handles_signals() const { return state_->handles_signals_; }
bool Machine::timers_repeat() const { return state_->timers_repeat_; }
bool Machine::signals_wait() const { return state_->signals_wait_; }

bool Machine::runs_long() const { return state_->spin_.bounds().runs_long; }
uint32_t Machine::threads_met() const { return state_->thread_numbers_.size(); }
bool Machine::runs_project_functions() const {
  for (uint32_t f = 0; f < state_->image_->functions.size(); ++f)
    if (state_->functions_run_[f] != 0 && f != state_->image_->main_function &&
        program::is_written_in_project(program().function(program::FunctionId(f))))
      return true;
  return false;
}
bool Machine::has_set_aside() const {
  if (state_->root_.set_aside != 0) return true;
  for (uint32_t id = 0; id < thread_count(); ++id) {
    const Thread* const t = state_->threads_[id];
    if (t != nullptr && t->life == Life::Running && state_->spin_.only_sleeps(*t)) return true;
  }
  return false;
}
Outcome Machine::outcome() const { return state_->root_.outcome; }
Mark Machine::mark() { return state_->mark(); }
void Machine::rewind(const Mark& mark) { state_->rewind(mark); }
uint64_t Machine::fingerprint(bool with_clocks) { return state_->fingerprint(with_clocks); }
uint64_t Machine::recent_hash() const { return state_->recent_hash(); }
void Machine::recent_accesses(ThreadId thread, std::vector<PlainAccess>& accesses) const {
  if (thread.value >= state_->threads_.limit() || state_->threads_[thread.value] == nullptr) return;
  const std::span<const RecentAccess> all = state_->recent_.all();
  for (uint32_t n = state_->threads_[thread.value]->recent_accesses; n != 0; n = all[n - 1].before)
    accesses.push_back({{all[n - 1].pointer}, all[n - 1].size, all[n - 1].write != 0});
}
bool Machine::touched_shared(ThreadId thread) const {
  return thread.value < state_->threads_.limit() && state_->threads_[thread.value] != nullptr &&
         state_->threads_[thread.value]->step_accesses != 0;
}
bool Machine::discarded() const { return state_->root_.discarded; }
std::vector<Machine::InputValue> Machine::inputs() const {
  std::vector<InputValue> result;
  if (state_->symbols_ == nullptr) return result;
  for (const Symbols::Input& input : state_->symbols_->inputs())
    result.push_back({input.at, ThreadId(static_cast<uint32_t>(input.number >> 32)), input.width,
                      state_->symbols_->value_of(input), input.number});
  return result;
}
std::vector<Machine::FilledMemory> Machine::filled() const {
  std::vector<FilledMemory> result;
  if (state_->symbols_ == nullptr) return result;
  for (const Symbols::Filled& filled : state_->symbols_->filled()) {
    FilledMemory one{filled.at, ThreadId(filled.thread), filled.argument, std::string(filled.bytes, '\0'), {}};
    uint32_t end = 0;
    const auto skip_to = [&](uint32_t offset) {
      for (; end < offset; ++end) one.parts.push_back(0);
    };
    for (const Symbols::Filled::Part& part : filled.parts) {
      const uint64_t value = state_->symbols_->value_of(part.value);
      for (uint32_t n = 0; n < part.size; ++n) one.bytes[part.offset + n] = static_cast<char>(value >> (8 * n));
      skip_to(part.offset);
      end = part.offset + part.size;
      one.parts.push_back(part.size);
    }
    skip_to(filled.bytes);
    result.push_back(std::move(one));
  }
  return result;
}
std::vector<Machine::InputText> Machine::input_texts() const { return state_->input_texts(); }
void Machine::give_inputs(const std::vector<InputValue>& values) {
  if (state_->symbols_ == nullptr) return;
  symbolic::Model model;
  for (const InputValue& input : values) model[input.number] = input.value;
  state_->symbols_->give(std::move(model));
}
std::vector<CodeAddress> Machine::made_concrete() const {
  if (state_->symbols_ == nullptr) return {};
  return {state_->symbols_->made_concrete.begin(), state_->symbols_->made_concrete.end()};
}
Machine::SolverWork Machine::solver_work() const {
  if (state_->symbols_ == nullptr) return {};
  const symbolic::Statistics& all = state_->symbols_->solver_statistics();
  return {all.queries, all.tried, all.hits};
}
bool Machine::inputs_undecided() const { return state_->symbols_ != nullptr && state_->symbols_->undecided(); }
const std::vector<Fault>& Machine::faults() const { return state_->faults_; }
std::span<const Event> Machine::events() const { return state_->events_.all(); }

void Machine::State::make_visible(std::span<const CodeAddress> statements) {
  if (statements.empty()) return;
  own_code();
  latest_access_ = true;
  for (const CodeAddress at : statements) {
    if (at.function.value >= image_->functions.size()) continue;
    Decoded& d = own_code_[image_->decoded(at)];
    const bool access = (d.code >= Code::LoadL1 && d.code <= Code::StoreWide) || d.code == Code::MemoryCopy ||
                        d.code == Code::MemorySet || d.code == Code::CallBuiltin || d.code == Code::Release;
    if (access) d.code = Code::VisibleAccess;
  }
}

void Machine::make_visible(std::span<const CodeAddress> statements) {
  state_->make_visible(statements);
  if (!statements.empty()) state_->update_tracking();
}

bool Machine::ordered_before(ThreadId earlier, uint32_t count, ThreadId later) const {
  if (later.value >= state_->threads_.limit() || earlier.value >= state_->threads_.limit()) return false;
  return state_->clocks_.at(state_->threads_[later.value]->clock).at[earlier.value] >= count;
}

uint32_t Machine::event_count(ThreadId thread) const {
  return thread.value < state_->threads_.limit() && state_->threads_[thread.value] != nullptr
             ? state_->threads_[thread.value]->events
             : 0;
}
CodeAddress Machine::position(ThreadId thread) const { return state_->threads_[thread.value]->pending.at; }

std::vector<CodeAddress> Machine::call_stack(ThreadId thread) const {
  std::vector<CodeAddress> result;
  const Thread& t = *state_->threads_[thread.value];
  for (const uint32_t pc : state_->stack_of(t)) result.push_back(state_->image_->address(pc));
  if (result.empty() && t.life == Life::Running) result.push_back(t.pending.at);
  return result;
}

uint64_t Machine::argument(ThreadId thread, size_t depth, uint32_t slot) const {
  const Thread& t = *state_->threads_[thread.value];
  const std::vector<uint32_t> frames = state_->frames_of(t);
  return depth < frames.size() ? t.stack[frames[depth] + slot] : 0;
}

std::vector<Pointer> Machine::locks_held(ThreadId thread) const {
  std::vector<Pointer> result;
  const State& s = *state_;
  for (const SyncObject* const known : s.sync_objects_.all()) {
    const SyncObject& o = *known;
    const bool exclusive =
        (o.kind == SyncKind::Mutex || o.kind == SyncKind::SpinLock || o.kind == SyncKind::ReadWriteLock) &&
        o.owner == thread.value;
    const bool shared =
        o.kind == SyncKind::ReadWriteLock && o.readers != 0 && s.clocks_.at(o.readers).at[thread.value] != 0;
    if (exclusive || shared) result.push_back({o.address});
  }
  return result;
}

ThreadId Machine::lock_owner(Pointer mutex) const {
  const SyncObject* o = state_->find_sync(mutex);
  if (o == nullptr || o->kind == SyncKind::None || (o->kind == SyncKind::Once && o->state != 1))
    return ThreadId::none();
  return ThreadId(o->owner);
}

bool Machine::is_address(Pointer at) const {
  const Object& o = *state_->memory_.find(at.bits);
  return o.kind == ObjectKindHost::Function ? at.offset() == 0 : at.offset() <= o.full_size;
}

std::vector<Pointer> Machine::waits_for(ThreadId thread) const {
  return SpinDetection::watched_by(*state_->threads_[thread.value]);
}

bool Machine::signalled(ThreadId thread) const {
  const Thread& t = *state_->threads_[thread.value];
  return t.phase == Phase::Wake && t.woken;
}

uint64_t Machine::instructions() const { return state_->instructions_; }
const std::string& Machine::standard_output() const { return state_->output_; }
const std::string& Machine::standard_error() const { return state_->errors_; }
int Machine::exit_code() const { return state_->root_.exit_code; }
ThreadId Machine::exiting_thread() const {
  for (uint32_t id = 0; id < thread_count(); ++id) {
    const Thread* const t = state_->threads_[id];
    if (t != nullptr && t->life != Life::None && t->exiting) return ThreadId(id);
  }
  return {};
}
std::string Machine::name_of(Pointer address, uint32_t size) const { return state_->name_of(address, size); }

program::TypeId Machine::type_at(Pointer address, uint32_t size, const program::Unit** unit) const {
  uint64_t offset = 0;
  const program::TypeId whole = state_->type_at(address, unit, &offset);
  return state_->part_type(*unit, whole, offset, size);
}

analysis::ObjectId Machine::static_object(Pointer address) const {
  const State& s = *state_;
  if (s.image_->facts == nullptr) return {};
  const Object& o = *s.memory_.find(address.bits);
  analysis::ObjectId whole;
  switch (o.kind) {
    case ObjectKindHost::Global:
    case ObjectKindHost::Constant:
    case ObjectKindHost::ThreadLocal: whole = s.image_->facts->object_of(program::GlobalId(o.made_at)); break;
    case ObjectKindHost::Heap:
    case ObjectKindHost::Stack: whole = s.image_->facts->object_of(s.image_->address(o.made_at)); break;
    default: break;
  }
  return whole.valid() ? s.image_->facts->sub_object_at(whole, address.offset()) : whole;
}

}  // namespace heddle::machine
