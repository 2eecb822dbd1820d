// Threads: create, join, detach, exit; attributes, keys and the calls that need no scheduling point.
#include <array>

#include "server/library/link_names.h"
#include "server/machine/interpreter.h"
#include "server/machine/library/model.h"
#include "server/machine/memory/stack_escape.h"
#include "server/machine/sync/codes.h"
#include "server/machine/sync/time.h"

namespace heddle::machine {
namespace {

using K = OperationKind;

constexpr uint32_t kKeysMost = 1024;

uint64_t handle_of(uint32_t id) { return uint64_t{id} + 1; }

Thread* thread_of(Machine::State& s, uint64_t handle) {
  if (handle == 0 || handle > s.threads_.limit()) return nullptr;
  Thread* t = s.threads_[handle - 1];
  return t == nullptr || t->life == Life::None ? nullptr : t;
}

bool thread_misuse(SyncCall& call, const std::string& message) {
  return call.state.fault(call.thread, FaultKind::ThreadMisuse, message);
}

// Starts a thread that calls `function` with `data`; null if that failed (a fault was raised).
Thread* launch(SyncCall& call, Pointer handle, uint64_t function, uint64_t data) {
  Machine::State& s = call.state;
  Thread& t = call.thread;
  Callee callee;
  if (!s.image_->callee_of(function, callee)) {
    s.fault(t, function >> 32 == 0 ? FaultKind::NullDereference : FaultKind::WildPointer,
            "the start function of a new thread is no function", {function});
    return nullptr;
  }
  if (callee.kind != Callee::Kind::Function) {
    s.fault_not_ours(t, "starts a thread with", callee, "a thread that starts with a function of the library");
    return nullptr;
  }
  const uint32_t id = static_cast<uint32_t>(call.operation.object.bits);
  if (id >= kThreadsMax) {
    s.fault(t, FaultKind::Unsupported, "more than " + std::to_string(kThreadsMax) + " threads");
    return nullptr;
  }
  const uint64_t bits = handle_of(id);
  if (!s.write(t, handle, &bits, 8)) return nullptr;
  Thread& child = s.make_thread(id, t.id, t.pc);
  ++t.children;
  child.entry = callee.index;
  s.clocks_.copy(child.clock, t.clock);
  s.clocks_.at(child.clock).at[id] = 1;
  if (s.image_->reads_clock)
    s.clocks_.reach_time(child, s.clocks_.time(t) + t.children);  // no two threads read the same
  s.update_tracking();
  note_stack_address(s, call.thread, 0, data);
  inherit_signal_mask(s, t, child);
  inherit_properties(s, t, child);
  start_frames(s, child, callee, std::span<const uint64_t>(&data, 1));
  return &child;
}

void create(SyncCall& call) {
  const bool c11 = call.row.c11;
  int32_t detached = 0;
  uint64_t stack = 0;  // 0: the attribute holds zeros, as one that is not initialised
  if (!c11 && call.argument(1) != 0) {
    if (!call.read_attribute(1, 0, &detached, 4) || !call.read_attribute(1, kStackSizeAt, &stack, 8)) return;
  }
  Thread* const child = launch(call, {call.argument(0)}, call.argument(c11 ? 1 : 2), call.argument(c11 ? 2 : 3));
  if (child == nullptr) return;
  child->detached = detached != 0;
  if (stack != 0) call.state.give_stack(*child, stack);
  call.error(0);
}

// Virtual functions of std::thread::_State, as offsets into its table: the destructor that deletes, and what to run.
constexpr uint64_t kDeleteState = 8, kRunState = 16;

// Functions that the state of a std::thread holds, or what it points to (std::async): one of the library and one of the
// project. Of several it is the last one: a callable lies after its arguments.
void note_given(const Machine::State& s, Thread& child, uint64_t state) {
  constexpr uint64_t kWordsMax = 32;
  constexpr size_t kBlocksMax = 4;
  std::array<uint64_t, kBlocksMax> blocks{state};
  size_t count = 1;
  for (size_t n = 0; n < count; ++n) {
    for (uint64_t word = 1; word < kWordsMax; ++word) {  // the first one is the virtual table
      const uint64_t value = s.peek({blocks[n] + 8 * word}, 8);
      if (value == 0) continue;
      Callee callee;
      if (s.image_->callee_of(value, callee)) {
        if (callee.kind != Callee::Kind::Function) continue;
        const bool own = s.image_->program->function(program::FunctionId(callee.index)).in_project;
        child.given[own] = callee.index + 1;
      } else if (n == 0 && count < kBlocksMax && s.peek({value}, 8) != 0) {
        blocks[count++] = value;
      }
    }
    if (child.given[1] != 0) return;
  }
}

// std::thread::_M_start_thread(std::unique_ptr<_State>, void (*)()): the thread runs the state's virtual function
// itself, so that roles, stacks and statements are distinguished by what the program runs.
void start_state(SyncCall& call) {
  Machine::State& s = call.state;
  Thread& t = call.thread;
  const Pointer holder{call.argument(1)};
  uint64_t state = 0, table = 0, run = 0, nothing = 0;
  if (!s.read(t, holder, &state, 8) || !s.read(t, {state}, &table, 8) || !s.read(t, {table + kRunState}, &run, 8))
    return;
  Thread* const child = launch(call, {call.argument(0)}, run, state);
  if (child == nullptr) return;
  child->start_state = state;
  note_given(s, *child, state);
  s.write(t, holder, &nothing, 8);
}

// Once per thread, when its function has returned.
bool take_start_state(Machine::State& s, Thread& t, Pointer& destructor, uint64_t& object) {
  if (t.start_state == 0) return false;
  object = t.start_state;
  destructor = {s.peek({s.peek({object}, 8) + kDeleteState}, 8)};
  t.start_state = 0;
  return true;
}

void join(SyncCall& call) {
  Machine::State& s = call.state;
  const bool only_tries = call.row.size != 0;
  Thread* other = thread_of(s, call.argument(0));
  if (other == nullptr) return void(thread_misuse(call, "joins a handle that is no thread"));
  if (other == &call.thread)
    return call.result_is_used() ? call.error(kDeadlock) : void(thread_misuse(call, "joins itself"));
  if (other->joined)
    return void(thread_misuse(call, "joins " + s.thread_name(other->id) + ", which was joined before"));
  if (other->detached) return void(thread_misuse(call, "joins " + s.thread_name(other->id) + ", which is detached"));
  if (other->life != Life::Ended && only_tries) {
    call.failed = true;
    return call.error(call.row.name == "pthread_tryjoin_np" ? kBusy : kTimedOut);
  }
  s.threads_.join(*other);
  s.clocks_.acquire(call.thread, other->clock);
  s.clocks_.reach_time(call.thread, s.clocks_.time(*other));
  s.update_tracking();
  if (call.argument(1) != 0) {
    const uint64_t result = other->result;
    if (!s.write(call.thread, {call.argument(1)}, &result, call.row.c11 ? 4 : 8)) return;
  }
  call.error(0);
}

// __heddle_settle(-1), in drivers: waits until no other thread can act. 1: one of them waits for a lock or a thread.
void settle(SyncCall& call) {
  Machine::State& s = call.state;
  bool locked = false;
  for (uint32_t id = 0; id < s.threads_.limit(); ++id) {
    Thread* const other = s.threads_[id];
    if (other == nullptr || other == &call.thread || other->life == Life::None) continue;
    s.clocks_.acquire(call.thread, other->clock);
    s.clocks_.reach_time(call.thread, s.clocks_.time(*other));
    if (other->life != Life::Running || other->spinning) continue;
    const K kind = other->pending.kind;
    locked = locked || kind == K::Lock || kind == K::ReadLock || kind == K::WriteLock || kind == K::OnceEnter ||
             kind == K::Join || (kind == K::Wake && other->woken);
  }
  s.update_tracking();
  call.result(locked);
}

void detach(SyncCall& call) {
  Machine::State& s = call.state;
  Thread* other = thread_of(s, call.argument(0));
  if (other == nullptr) return void(thread_misuse(call, "detaches a handle that is no thread"));
  if (other->joined || other->detached)
    return void(thread_misuse(call, "detaches " + s.thread_name(other->id) + ", which was " +
                                        (other->joined ? "joined" : "detached") + " before"));
  s.touch_running(*other);
  other->detached = true;
  call.error(0);
}

Status self(Guest& g) {
  static_cast<CallGuest&>(g).s.asks_identity_ = true;
  g.result(handle_of(g.thread().value));
  return Status::Done;
}

Status equal(Guest& g) {
  static_cast<CallGuest&>(g).s.asks_identity_ = true;
  g.result_int(g.argument(0) == g.argument(1));
  return Status::Done;
}

Status zero(Guest& g) {
  g.result_int(0);
  return Status::Done;
}

// In the place of a key's destructor: the key was deleted, and its number is free.
constexpr uint64_t kDeletedKey = 1;
constexpr int kThreadError = 2;  // thrd_error

template <bool c11>
Status finish_key(CallGuest& g, int code) {
  g.result_int(c11 && code != 0 ? kThreadError : code);
  return Status::Done;
}

bool is_key(const Root& root, uint64_t key) { return key < root.keys && root.key_destructors[key] != kDeletedKey; }

// Once a key was deleted: which exist is part of the state, as bytes that are hashed.
bool note_keys(CallGuest& g) {
  uint64_t hash = 1;
  for (uint32_t key = 0; key < g.s.root_.keys; ++key) hash = combine(hash, g.s.root_.key_destructors[key]);
  return g.write({uint64_t{g.s.process_object(kKeyTable.name, kKeyTable.size)} << 32}, &hash, sizeof hash);
}

template <bool c11>
Status key_create(Guest& guest) {
  auto& g = static_cast<CallGuest&>(guest);
  Root& root = g.s.root_;
  uint32_t key = 0;
  while (key < root.keys && is_key(root, key)) ++key;
  if (key >= kKeysMost) return finish_key<c11>(g, kTryAgain);
  const bool again = key < root.keys;
  if (!again && root.keys == root.key_capacity) {
    const uint32_t capacity = root.key_capacity == 0 ? 8 : root.key_capacity * 2;
    auto* larger = g.s.undo_.take_zeroed<uint64_t>(capacity);
    if (root.keys > 0) std::memcpy(larger, root.key_destructors, root.keys * 8);
    root.key_destructors = larger;
    root.key_capacity = capacity;
  }
  if (!again) ++root.keys;
  g.s.undo_.put(root.key_destructors[key], g.argument(1));
  if (!g.write(g.pointer(0), &key, 4) || (again && !note_keys(g))) return Status::Faulted;
  return finish_key<c11>(g, 0);
}

// The values of all threads are lost.
Status key_delete(Guest& guest) {
  auto& g = static_cast<CallGuest&>(guest);
  const uint32_t key = static_cast<uint32_t>(g.argument(0));
  if (!is_key(g.s.root_, key)) return finish_key<false>(g, kInvalid);
  g.s.undo_.put(g.s.root_.key_destructors[key], kDeletedKey);
  for (uint32_t id = 0; id < g.s.threads_.limit(); ++id) {
    Thread* const other = g.s.threads_[id];
    if (other != nullptr && key < other->keys_capacity) g.s.undo_.put(other->keys[key], uint64_t{0});
  }
  return note_keys(g) ? finish_key<false>(g, 0) : Status::Faulted;
}

Status key_get(Guest& guest) {
  auto& g = static_cast<CallGuest&>(guest);
  const uint32_t key = static_cast<uint32_t>(g.argument(0));
  g.result(key < g.t->keys_capacity ? g.t->keys[key] : uint64_t{0});
  return Status::Done;
}

template <bool c11>
Status key_set(Guest& guest) {
  auto& g = static_cast<CallGuest&>(guest);
  const uint32_t key = static_cast<uint32_t>(g.argument(0));
  if (!is_key(g.s.root_, key)) return finish_key<c11>(g, kInvalid);
  if (key >= g.t->keys_capacity) {
    const uint32_t capacity = g.s.root_.key_capacity;
    auto* larger = g.s.undo_.take_zeroed<uint64_t>(capacity);
    if (g.t->keys_capacity != 0) std::memcpy(larger, g.t->keys, g.t->keys_capacity * 8ull);
    g.t->keys = larger;
    g.t->keys_capacity = capacity;
  }
  g.s.undo_.put(g.t->keys[key], g.argument(1));
  ++g.t->stores;
  return finish_key<c11>(g, 0);
}

// The names of threads: 16 bytes each, by number. Results are errno values.
constexpr uint32_t kThreadNameSize = 16;
constexpr int kRange = 34;

Status finish(Guest& g, int code) {
  g.result_int(code);
  return Status::Done;
}

Pointer name_of_thread(Guest& g) {
  return {g.process_object(kThreadNameTable.name, kThreadNameTable.size).bits + thread_name_place(g.argument(0))};
}

}  // namespace

Thread* named_thread(CallGuest& g, const char* verb) {
  Thread* const named = thread_of(g.s, g.argument(0));
  const std::string over = named == nullptr ? "a handle that is no thread" : end_of_life(*named);
  if (over.empty()) return named;
  const std::string whom = named == nullptr ? over : g.s.thread_name(named->id) + over;
  g.s.fault(*g.t, FaultKind::ThreadMisuse, std::string(verb) + " " + whom);
  return nullptr;
}

namespace {

Status set_property(Guest& guest) {  // of scheduling
  auto& g = static_cast<CallGuest&>(guest);
  return named_thread(g, "changes") == nullptr ? Status::Faulted : zero(g);
}

Status set_name(Guest& guest) {  // pthread_setname_np(thread, name)
  auto& g = static_cast<CallGuest&>(guest);
  Thread* const other = named_thread(g, "names");
  std::string name;
  if (other == nullptr || !g.read_string(g.pointer(1), name, ~uint64_t{0})) return Status::Faulted;
  if (other->life == Life::Ended) return finish(g, kNoSuchThread);
  if (name.size() >= kThreadNameSize) return finish(g, kRange);
  if (!g.write_string(name_of_thread(g), name)) return Status::Faulted;
  return finish(g, 0);
}

Status get_name(Guest& guest) {  // pthread_getname_np(thread, to, size)
  auto& g = static_cast<CallGuest&>(guest);
  Thread* const other = named_thread(g, "asks for the name of");
  std::string name;
  if (other == nullptr) return Status::Faulted;
  if (other->life == Life::Ended) return finish(g, kNoSuchThread);
  if (!g.read_string(name_of_thread(g), name, kThreadNameSize)) return Status::Faulted;
  if (name.empty()) name = "program";
  if (g.argument(2) < kThreadNameSize) return finish(g, kRange);
  if (!g.write_string(g.pointer(1), name)) return Status::Faulted;
  return finish(g, 0);
}

Status yield(Guest& guest) {
  static_cast<CallGuest&>(guest).t->pause_hint = true;
  return zero(guest);
}

}  // namespace

std::string end_of_life(const Thread& thread) {
  if (thread.joined) return ", which was joined before";
  return thread.detached && thread.life == Life::Ended ? ", which is detached and has ended" : "";
}

uint32_t thread_name_place(uint64_t handle) {
  return static_cast<uint32_t>(handle - 1) % (kThreadNameTable.size / kThreadNameSize) * kThreadNameSize;
}

// The result of the start function is in t.result; frames and locals are gone.
void Machine::State::leave_all_frames(Thread& t, uint64_t result) {
  end_stack_objects(t, 0, true);
  if (t.saved_from != 0) {  // every frame may be overwritten from now on
    undo_.blob(t.stack, t.saved_from);
    t.saved_from = 0;
  }
  t.fp = kHeader;
  t.top = kHeader + 2;
  t.depth = 0;
  t.pc = kThreadEndCode;
  t.result = t.stack[t.fp] = result;
  t.cleanup = 0;
  t.jump_count = 0;
  if (t.stack_chunk != nullptr) restore_stack_memory(t, 0);
  t.left = true;
}

Status key_destructors_model(Guest& guest) {
  auto& g = static_cast<CallGuest&>(guest);
  Callee callee;
  uint64_t value = 0;
  Pointer destructor;
  if (next_thread_destructor(g.s, *g.t, destructor, value))
    return g.call(destructor, std::span<const uint64_t>(&value, 1));
  g.t->phase = Phase::ThreadExit;
  return Status::Done;
}

// Destructors of thread_local objects: a stack of (function, object) in a hidden object of the thread.
namespace {

constexpr uint32_t kLocalsMost = 255;
constexpr const char* kLocalsName = "heddle.thread_exit";

uint64_t local_destructors(Machine::State& s, Thread& t) {
  return s.thread_object(t, kLocalsName, 8 + kLocalsMost * 16);
}

Status at_thread_exit(Guest& guest) {
  auto& g = static_cast<CallGuest&>(guest);
  const uint64_t list = local_destructors(g.s, *g.t), count = g.s.peek({list}, 8);
  if (count == kLocalsMost)
    return g.fault(FaultKind::Unsupported, "a thread has more than 255 thread_local objects with destructors");
  const uint64_t entry[2] = {g.argument(0), g.argument(1)}, more = count + 1;
  if (!g.write({list + 8 + count * 16}, entry, 16) || !g.write({list}, &more, 8)) return Status::Faulted;
  return zero(guest);
}

}  // namespace

bool next_local_destructor(Machine::State& s, Thread& t, Pointer& destructor, uint64_t& object) {
  const auto known = s.thread_objects_.find(kLocalsName);  // none was registered in any thread
  if (known == s.thread_objects_.end()) return false;
  const uint64_t list = local_destructors(s, t), count = s.peek({list}, 8);
  if (count == 0) return false;
  const uint64_t less = count - 1, entry = list + 8 + less * 16;
  destructor = {s.peek({entry}, 8)};
  object = s.peek({entry + 8}, 8);
  return s.write(t, {list}, &less, 8);
}

// Takes the next value with a destructor out of its key. A destructor may set a value again, for the next round; POSIX
// allows to stop after some rounds; four here.
bool next_thread_destructor(Machine::State& s, Thread& t, Pointer& destructor, uint64_t& value) {
  if (take_start_state(s, t, destructor, value) || next_local_destructor(s, t, destructor, value)) return true;
  constexpr uint32_t kRounds = 4;
  while (t.keys_looked_at < kRounds * kKeysMost) {
    const uint32_t key = t.keys_looked_at % kKeysMost;
    const bool round_is_over = key >= t.keys_capacity || key >= s.root_.keys;
    t.keys_looked_at = static_cast<uint16_t>(t.keys_looked_at + (round_is_over ? kKeysMost - key : 1));
    if (round_is_over || t.keys[key] == 0 || s.root_.key_destructors[key] <= kDeletedKey) continue;
    value = t.keys[key];
    destructor = {s.root_.key_destructors[key]};
    s.undo_.put(t.keys[key], uint64_t{0});
    return true;
  }
  return false;
}

void start_frames(Machine::State& s, Thread& t, const Callee& callee, std::span<const uint64_t> arguments) {
  t.fp = kHeader;
  t.top = kHeader + 2;
  t.pc = kThreadEndCode;
  std::memset(t.stack, 0, t.top * 8);
  t.stack[t.fp - 2] = kNoFunction;
  s.call_function(t, callee, arguments, kThreadEndCode);
}

bool Machine::State::others_are_stuck(const Thread& t) {
  for (uint32_t id = 0; id < threads_.limit(); ++id) {
    Thread* const other = threads_[id];
    if (other != nullptr && other != &t && other->life == Life::Running && alternatives(*other) != 0) return false;
  }
  return true;
}

std::span<const VisibleRow> thread_rows() {
  static const VisibleRow rows[] = {
      {"pthread_create", K::Create, -1, -1, false, create},
      {"thrd_create", K::Create, -1, -1, true, create},
      {library::kStartThread, K::Create, -1, -1, false, start_state},
      {"pthread_join", K::Join, -1, -1, false, join},
      {"thrd_join", K::Join, -1, -1, true, join},
      {"pthread_tryjoin_np", K::Join, -1, -1, false, join, {}, 1},
      {"pthread_timedjoin_np", K::Join, -1, -1, false, join, {}, 1},
      {"pthread_clockjoin_np", K::Join, -1, -1, false, join, {}, 1},
      {"__heddle_settle", K::Join, -1, -1, false, settle},
      {"pthread_detach", K::Detach, -1, -1, false, detach},
      {"thrd_detach", K::Detach, -1, -1, true, detach},
  };
  return rows;
}

std::span<const BuiltinRow> thread_builtins() {
  static const BuiltinRow rows[] = {
      {"pthread_self", self},
      {"thrd_current", self},
      {"pthread_equal", equal},
      {"thrd_equal", equal},
      {"pthread_key_create", key_create<false>},
      {"tss_create", key_create<true>},
      {"pthread_key_delete", key_delete},
      {"tss_delete", key_delete},
      {"pthread_getspecific", key_get},
      {"tss_get", key_get},
      {"pthread_setspecific", key_set<false>},
      {"tss_set", key_set<true>},
      {"__cxa_thread_atexit", at_thread_exit},
      {"__cxa_thread_atexit_impl", at_thread_exit},
      {"pthread_setname_np", set_name},
      {"pthread_getname_np", get_name},
      {"pthread_testcancel", zero},
      {"pthread_setschedparam", set_property},
      {"pthread_yield", yield},
      {"sched_yield", yield},
      {"thrd_yield", yield},
      {"usleep", sleep_microseconds},
      {"sleep", sleep_seconds},
      {"nanosleep", sleep_time},
      {"clock_nanosleep", sleep_clock},
      {"thrd_sleep", sleep_of_c11},
  };
  return rows;
}

}  // namespace heddle::machine
