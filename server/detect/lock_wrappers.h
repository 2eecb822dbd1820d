// Functions of the project that do nothing but take one lock for their caller: `void Lock::lock() { pthread_mutex_lock(&m);
// }`. What they do says nothing; the call of them does. Internal to the folder.
//
// In:      a Machine; its thread that stands at an operation, or a function.
// Out:     whether a function is one; the project's call that stands for the operation.
// Cost:    a look at each instruction of short functions, and of what they call.
// Owns:    values.
// Threads: the thread that uses the machine.
// Fails:   never; without facts no function is one.
#pragma once

#include <vector>

#include "server/detect/calls.h"

namespace heddle::detect {

bool wraps_lock(const machine::Machine& machine, program::FunctionId function);

struct LockCall {
  program::CodeAddress inner;  // in the wrapper, or in the library, that the project calls
  program::CodeAddress user;   // where the project calls it; none: the operation is in no library and in no wrapper
};
// Of the operation at `at` that the thread stands at: the outermost wrapper's call.
LockCall lock_call(const machine::Machine& machine, machine::ThreadId thread, program::CodeAddress at);
// The same of an operation in the past: `caller` is the frame that called the function of `at`, and becomes the one that
// called the function of the call.
LockCall lock_call(const machine::Machine& machine, program::CodeAddress at, const CallRecorder& calls,
                   const std::vector<CallFrame>& frames, uint32_t& caller);

}  // namespace heddle::detect
