// How library models run: the implementation of Guest, and frames of models that call back into the program.
//
// In:      a call instruction whose callee is a model.
// Out:     the model's Status; its result in the caller's frame.
// Owns:    nothing in guest memory. A machine has one CallGuest; nested calls make their own.
// Threads: the thread that uses the machine.
// Fails:   false or Status::Faulted after a fault.
#pragma once

#include <array>

#include "server/machine/library/builtin.h"
#include "server/machine/state.h"

namespace heddle::machine {

class CallVariadics final : public VariadicReader {
 public:
  explicit CallVariadics(CallGuest& guest) : guest_(guest) {}
  void restart(uint32_t first) { next_ = first; }
  bool next_int(uint64_t& bits) override;
  bool next_double(double& value) override;
  bool next_long_double(long double& value) override;

 private:
  CallGuest& guest_;
  uint32_t next_ = 0;
};

class ListVariadics final : public VariadicReader {
 public:
  explicit ListVariadics(CallGuest& guest) : guest_(guest) {}
  void restart(Pointer list) { list_ = list; }
  bool next_int(uint64_t& bits) override;
  bool next_double(double& value) override;
  bool next_long_double(long double& value) override;

 private:
  bool take(void* to, uint32_t size, uint32_t alignment);
  CallGuest& guest_;
  Pointer list_;
};

class CallGuest final : public Guest {
 public:
  explicit CallGuest(Machine::State& state) : s(state), call_arguments_(*this), list_arguments_(*this) {}

  Machine::State& s;
  Thread* t = nullptr;
  const CallInfo* info = nullptr;  // null: `given` are the arguments
  std::span<const uint64_t> given;
  uint32_t caller = 0;  // fp of the calling frame
  Builtin builtin = nullptr;
  bool in_frame = false;                  // the model has a frame of its own
  std::array<uint64_t, 8> first_state{};  // until it has
  uint64_t results[2] = {0, 0};
  bool has_result = false;
  int handled_signal = 0;  // whose handler was called last
  uint64_t handler = 0;

  void begin(Thread& thread, Builtin model, const CallInfo* call, uint32_t calling_fp);
  CallGuest& at(Thread& thread) {  // for the helpers of models, outside of a call
    begin(thread, nullptr, nullptr, thread.fp);
    return *this;
  }

  ThreadId thread() const override { return ThreadId(t->id); }
  uint32_t argument_count() const override;
  uint64_t argument(uint32_t n) const override;
  uint64_t argument_high(uint32_t n) const override;
  long double long_double_argument(uint32_t n) const override;
  VariadicReader& variadic_arguments(uint32_t named) override;
  VariadicReader& variadic_list(Pointer list) override;
  using Guest::result;
  void result(uint64_t bits) override { result_two(bits, 0); }
  void result_two(uint64_t first, uint64_t second) override;
  void result_long_double(long double value) override;
  bool read(Pointer from, void* to, uint32_t size) override;
  bool is_written(Pointer from, uint32_t size) override;
  bool is_there(Pointer at, uint64_t size, const char* verb) override;
  bool write(Pointer to, const void* from, uint32_t size) override {
    return fits(to, size) && s.write(*t, to, from, size);
  }
  bool fits(Pointer to, uint64_t size) override { return !s.image_->names_rooms || fits_room(to, size); }
  bool fill(Pointer to, uint8_t byte, uint64_t size) override {
    return fits(to, size) && s.fill(*t, to, byte, size, false);
  }
  bool copy(Pointer to, Pointer from, uint64_t size, bool may_overlap) override {
    return fits(to, size) && s.copy(*t, to, from, size, may_overlap, false);
  }
  bool string_length(Pointer text, uint64_t& length) override;
  bool read_string(Pointer text, std::string& out, uint64_t limit) override;
  Pointer allocate(uint64_t size, uint64_t alignment, bool zeroed) override;
  bool release(Pointer block) override { return s.free_heap_object(*t, block); }
  bool block_size(Pointer block, uint64_t& size) override;
  Pointer process_object(std::string_view name, uint32_t size) override {
    return Pointer::make(s.process_object(name, size), 0);
  }
  Pointer thread_object(std::string_view name, uint32_t size) override;
  Pointer constant_string(std::string_view text) override { return Pointer::make(s.constant_string(text), 0); }
  bool set_errno(int32_t value) override;
  void output(int descriptor, std::string_view text) override;
  uint64_t next_tick() override;
  Status fault(FaultKind kind, std::string message) override;
  Status writes_past(Pointer array, uint64_t bytes, uint64_t room) override;
  Status exit_process(int code, bool run_handlers) override;
  Status call(Pointer function, std::span<const uint64_t> arguments) override;
  uint32_t stage() const override;
  uint64_t& state(uint32_t i) override;
  uint64_t call_result() const override;

 private:
  bool scan_string(Pointer text, uint64_t limit, Object*& object, uint64_t& length);
  bool fits_room(Pointer to, uint64_t size);
  CallVariadics call_arguments_;
  ListVariadics list_arguments_;
};

// Guest text calls it before others: library/fortify.cc.
inline constexpr std::string_view kRooms = "heddle.rooms";
struct Rooms {
  uint64_t count = 0;
  struct Room {
    uint64_t at, bytes;
  } all[16] = {};
};
bool set_errno(Machine::State& state, Thread& t, int code);
// Give a model that is not a called builtin a frame at the current operation and call the callee from it.
bool enter_model(Machine::State& state, Thread& t, Builtin model, const Callee& callee,
                 std::span<const uint64_t> arguments);

// The root frame of a thread and, in it, its start function.
void start_frames(Machine::State& s, Thread& t, const Callee& callee, std::span<const uint64_t> arguments);
// What has to run at the end of a thread: destructors of its thread_local objects, last made first, then of keys.
bool next_thread_destructor(Machine::State& s, Thread& t, Pointer& destructor, uint64_t& value);
bool next_local_destructor(Machine::State& s, Thread& t, Pointer& destructor, uint64_t& object);

// Before exit() takes the next handler off the list: does the thread stop at a scheduling point first? The model then
// returns Status::Faulted, and is entered again in the same stage. exit_handlers.cc
bool stops_before_exit_handler(CallGuest& guest, Pointer list);
void describe_exit_handler(const Thread& t, Operation& op);

Status terminate_model(Guest& guest);        // a handler of std::terminate
Status once_model(Guest& guest);             // pthread_once, while the initialiser runs
Status key_destructors_model(Guest& guest);  // the end of a thread
Status constructor_model(Guest& guest);      // constructor functions before main
Status interruption_model(Guest& guest);     // a signal has come: sync/interruption.cc
bool ends_interrupted_call(const Thread& t);
Status destructors_model(Guest& guest);  // destructor functions at exit

namespace models {

// The model, as a frame keeps it, calls a comparison and looks only at the sign of what that returns (qsort, bsearch).
bool compares(uint64_t model);  // library/sort.cc

}  // namespace models

}  // namespace heddle::machine
