// Library models: how a C library function is written for the machine.
//
// In:      a Guest: the arguments of the call and checked access to guest memory.
// Out:     a Status; the result through Guest::result.
// Cost:    one indirect call; no allocation on the host for the usual short strings.
// Owns:    nothing. A model keeps no state: what it must remember is in guest memory (Guest::process_object), so it
//          rewinds.
// Threads: the thread that uses the machine; the tables are constant.
// Fails:   every Guest method that returns bool returns false after it raised a fault. The model then returns
//          Status::Faulted at once.
//
// Most models of `library/*.cc` touch guest memory through Guest alone, which checks bounds, liveness, initialisation
// and races. The models of exit, exceptions, operator new, threads and jumps use the machine's State, too. None opens a
// file of the host. `docs/WHERE.md` has the steps to add one. A function that other threads can notice is no model but
// a VisibleRow (`sync.h`).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "server/machine/types.h"

namespace heddle::machine {

enum class Status : uint8_t {
  Done,     // result is set (or there is none)
  Faulted,  // a fault was raised
  Call,     // Guest::call was used: run the guest function, then enter this model again with stage() + 1
};

// The arguments after the named ones, of a call or of a va_list.
class VariadicReader {
 public:
  virtual ~VariadicReader() = default;
  virtual bool next_int(uint64_t& bits) = 0;  // 8 bytes; false: fault raised (no such argument)
  virtual bool next_double(double& value) = 0;
  virtual bool next_long_double(long double& value) = 0;
};

class Guest {
 public:
  virtual ~Guest() = default;

  virtual ThreadId thread() const = 0;
  virtual uint32_t argument_count() const = 0;
  virtual uint64_t argument(uint32_t n) const = 0;       // first slot; integers narrower than 64 bits zero-extended
  virtual uint64_t argument_high(uint32_t n) const = 0;  // second slot
  Pointer pointer(uint32_t n) const { return {argument(n)}; }
  int32_t int_argument(uint32_t n) const { return static_cast<int32_t>(argument(n)); }
  double double_argument(uint32_t n) const { return __builtin_bit_cast(double, argument(n)); }
  float float_argument(uint32_t n) const { return __builtin_bit_cast(float, static_cast<uint32_t>(argument(n))); }
  virtual long double long_double_argument(uint32_t n) const = 0;
  // Of this call, after the named ones: without a prototype only the callee knows how many these are.
  virtual VariadicReader& variadic_arguments(uint32_t named) = 0;
  virtual VariadicReader& variadic_list(Pointer va_list) = 0;

  virtual void result(uint64_t bits) = 0;
  virtual void result_two(uint64_t first, uint64_t second) = 0;  // div_t and the like, long long pairs
  void result(Pointer pointer) { result(pointer.bits); }
  void result_int(int32_t value) { result(static_cast<uint32_t>(value)); }
  void result_double(double value) { result(__builtin_bit_cast(uint64_t, value)); }
  void result_float(float value) { result(__builtin_bit_cast(uint32_t, value)); }
  virtual void result_long_double(long double value) = 0;

  // Checked guest memory. Byte ranges; host buffers belong to the caller.
  virtual bool read(Pointer from, void* to, uint32_t size) = 0;
  virtual bool write(Pointer to, const void* from, uint32_t size) = 0;
  virtual bool is_written(Pointer, uint32_t) { return true; }             // each of the bytes, which can be read
  virtual bool is_there(Pointer, uint64_t, const char*) { return true; }  // false and fault: its life has ended
  virtual bool fill(Pointer to, uint8_t byte, uint64_t size) = 0;
  virtual bool copy(Pointer to, Pointer from, uint64_t size,
                    bool may_overlap) = 0;                         // false and fault on overlap if not
  virtual bool string_length(Pointer text, uint64_t& length) = 0;  // reads up to the terminator
  virtual bool read_string(Pointer text, std::string& out, uint64_t limit = ~uint64_t{0}) = 0;
  // False and fault: `to` is a member that a call of __heddle_room() has named, and smaller.
  virtual bool fits(Pointer, uint64_t) { return true; }
  bool write_string(Pointer to, std::string_view text) {  // with terminator
    return fits(to, text.size() + 1) && write(to, text.data(), static_cast<uint32_t>(text.size())) &&
           write(Pointer{to.bits + text.size()}, "", 1);
  }

  // Heap. allocate returns null (no fault) when the guest asks for more than the memory limit and sets errno.
  virtual Pointer allocate(uint64_t size, uint64_t alignment, bool zeroed) = 0;
  virtual bool release(Pointer block) = 0;                     // free; null is fine
  virtual bool block_size(Pointer block, uint64_t& size) = 0;  // of a live heap block; faults like free otherwise

  // A hidden zero-initialised object of the process (or thread), made at first use, found again by name.
  virtual Pointer process_object(std::string_view name, uint32_t size) = 0;
  virtual Pointer thread_object(std::string_view name, uint32_t size) = 0;
  // Constant text as a guest string, made once per text.
  virtual Pointer constant_string(std::string_view text) = 0;
  virtual bool set_errno(int32_t value) = 0;

  virtual void output(int descriptor, std::string_view text) = 0;  // 1, 2: the program's standard streams
  virtual uint64_t next_tick() = 0;                                // deterministic time: nanoseconds, advances by call

  virtual Status fault(FaultKind kind, std::string message) = 0;  // returns Status::Faulted
  // The fault of a function that writes more bytes to an array than it has.
  virtual Status writes_past(Pointer array, uint64_t bytes, uint64_t room) = 0;
  // Ends the process. run_handlers: the program's destructor functions first (the model of exit() has called the
  // atexit handlers by then; a return from main is a call of that model).
  virtual Status exit_process(int code, bool run_handlers) = 0;

  // Calling back into the guest. Arguments are plain 64-bit values. After the callee returned, the model is entered
  // again: stage() counts the entries, state(i) keeps 8 numbers between them (they rewind), call_result() is what
  // the callee returned.
  virtual Status call(Pointer function, std::span<const uint64_t> arguments) = 0;
  virtual uint32_t stage() const = 0;
  virtual uint64_t& state(uint32_t i) = 0;
  virtual uint64_t call_result() const = 0;
};

using Builtin = Status (*)(Guest&);

struct BuiltinRow {
  std::string_view name;
  Builtin run;
};

// A variable of the library that programs name: stdout, environ, optind. It is a process_object: Guest::process_object
// with its name finds it. Accesses to process and thread objects by models are not checked for races: the C library
// locks or keeps them per thread.
struct DataLink {  // the 8 bytes at `offset` hold the address of row `to`, plus `addend`
  uint32_t offset = 0;
  std::string_view to;
  uint32_t addend = 0;
};
struct DataRow {
  std::string_view name;  // "heddle." in front: reachable through pointers only
  uint32_t size = 0;
  std::string_view initial;    // first bytes; the rest is zero
  std::string_view points_to;  // if not empty: the first 8 bytes hold the address of that row
  std::span<const DataLink> links = {};
};
std::span<const DataRow> library_data();
std::span<const DataRow> type_info_data();  // typeinfo of fundamental types; vtables of typeinfo classes

// All rows of the tables below, sorted by name, no name twice.
std::span<const BuiltinRow> library_builtins();

// One table per header, each in its own file.
std::span<const BuiltinRow> string_builtins();   // string.h, strings.h
std::span<const BuiltinRow> ctype_builtins();    // ctype.h
std::span<const BuiltinRow> stdlib_builtins();   // stdlib.h
std::span<const BuiltinRow> stdio_builtins();    // stdio.h
std::span<const BuiltinRow> math_builtins();     // math.h
std::span<const BuiltinRow> time_builtins();     // time.h, sys/time.h
std::span<const BuiltinRow> posix_builtins();    // unistd.h, errno.h, assert.h, signal.h, sched.h and the rest
std::span<const BuiltinRow> fortify_builtins();  // the __*_chk forms of _FORTIFY_SOURCE
// pthread.h, semaphore.h, threads.h and the other visible operations are part of the machine's core: sync/*.cc.

}  // namespace heddle::machine
