// C++ exceptions in the machine: objects in flight, the search for a handler, and unwinding to it.
//
// In:      a thrown object; the landing pads of the calls on the thread's stack.
// Out:     find_handler() changes nothing; unwind() leaves frames until the thread stands at a landing pad.
// Owns:    nothing. The exception's header and two words per thread are in guest memory, so that they rewind.
// Threads: the thread that uses the machine.
// Fails:   an exception that no handler catches is a fault at the throw, before any frame is left.
// From:    Itanium C++ ABI: exception handling, 1.6 (two phases), 2.2 (objects), 2.4 (throwing), 2.5 (catching).
#pragma once

#include <optional>
#include <string>

#include "server/analysis/library.h"
#include "server/machine/library/model.h"

namespace heddle::machine {

// Words in front of the object that the program sees; an exception is named by that object's address.
inline constexpr uint64_t kExceptionHeader = library::kExceptionHeader;
enum class ExceptionField : uint8_t {
  References,  // of exception_ptr, and one while it is in flight or handled
  Type,        // address of its typeinfo; 0: no exception, the thread ends
  Destructor,
  Next,      // below it on the thread's stack of caught exceptions
  Handlers,  // active ones; negative: thrown again
  Primary,   // thrown again by rethrow_exception: the exception it stands for; else 0
  Caught,    // what begin_catch returns: the object as the handler's type
};

class Exceptions {
 public:
  Exceptions(Machine::State& state, Thread& thread) : s_(state), t_(thread) {}

  uint64_t field(uint64_t exception, ExceptionField which) const;
  void set(uint64_t exception, ExceptionField which, uint64_t value);
  uint64_t primary(uint64_t exception) const;                  // itself unless it stands for another one
  uint64_t caught() const { return s_.peek({globals()}, 8); }  // top of the thread's stack of caught exceptions
  void set_caught(uint64_t exception) { poke(globals(), exception); }
  uint64_t in_flight() const { return s_.peek({globals() + 8}, 8); }
  void set_in_flight(uint64_t count) { poke(globals() + 8, count); }
  std::string type_name(uint64_t exception) const;

  struct Handler {
    bool found = false;
    const program::LandingPad* ends_in = nullptr;  // of a noexcept function: the program ends instead
    uint32_t function = 0;
    bool specification = false;  // an exception specification forbids it
  };
  Handler find_handler(uint64_t exception) const;
  // Leaves frames up to the next landing pad that the exception enters. False: there is none.
  bool unwind(uint64_t exception);
  // The thread ends here (pthread_exit, cancellation): destructors run on the way, and catch (...), which has to throw
  // again. False after a fault.
  bool leave_thread();
  bool ends_thread(uint64_t exception) const { return field(primary(exception), ExceptionField::Type) == 0; }

 private:
  struct Entry {
    bool enters = false;
    int32_t selector = 0;
    uint64_t object = 0;
    bool specification = false;
  };
  Entry enter(uint64_t exception, uint32_t function, const program::LandingPad& pad) const;
  const program::CallSite* call_site(uint32_t pc) const;
  bool any_landing_pad() const;
  uint64_t globals() const { return s_.thread_object(t_, "heddle.exceptions", 16); }
  void poke(uint64_t at, uint64_t value);

  Machine::State& s_;
  Thread& t_;
};

// The library function on top of the thread's stack that ends the program or throws, if it does so because of a misuse.
struct Misuse {
  FaultKind kind = FaultKind::Abort;
  std::string message;
};
std::optional<Misuse> misuse_of_library(const Machine::State& state, const Thread& t);

}  // namespace heddle::machine
