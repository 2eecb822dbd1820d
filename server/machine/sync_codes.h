// Linux errno values that thread functions return, and the number of the guest's process.
//
// In:      nothing.
// Out:     `int` constants.
// Owns:    nothing.
// Threads: any.
// Fails:   never.
#pragma once

namespace heddle::machine {

inline constexpr int kNotPermitted = 1, kNoSuchThread = 3, kTryAgain = 11, kBusy = 16, kInvalid = 22, kDeadlock = 35,
                     kOverflow = 75, kTimedOut = 110, kOwnerDead = 130, kNotRecoverable = 131;

inline constexpr int kProcess = 1000;  // getpid(); a thread's number is added for gettid()

}  // namespace heddle::machine
