// What led to a failure, by the steps of its interleaving.
//
// In:      a finding with its interleaving; steps by number, from 0.
// Out:     steps, -1 where none is shown.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
#pragma once

#include <optional>

#include "heddle/v1/heddle.pb.h"

namespace heddle::client {

bool is_memory(const v1::TraceStep& step);  // reads, writes or updates it
// Of a driver that Heddle wrote: what it does between the calls says nothing of the program.
bool is_of_driver(const v1::TraceStep& step);
bool is_atomic_call(const v1::TraceStep& step);  // of the C++ library's atomics
bool is_capture(const v1::TraceStep& step);      // of the reference to the object by which a lambda has it
// Of the program's own memory: not of what a library keeps, of a temporary, or of a captured reference.
bool is_own_access(const v1::TraceStep& step);

// A thread writes what it made of a value that it had read before; `lost` is another thread's write between the two.
struct LostUpdate {
  int read = 0, lost = 0, write = 0;
};
std::optional<LostUpdate> lost_update(const v1::Finding& finding, int write);
// The last step of another thread that changes what this one accesses, or that is part of a folded call which may.
int last_change_by_another(const v1::Finding& finding, int step);
bool is_access_of_a_call(const v1::TraceStep& step);  // of the library, to an object of the project
// Of what the thread that fails accessed in such a call: another thread's step that changed it before.
int change_by_a_call(const v1::Finding& finding, int failure);
// Where the driver begins to run the calls one after the other; the number of steps, if it does not.
int end_of_concurrent_calls(const v1::Finding& finding);

}  // namespace heddle::client
