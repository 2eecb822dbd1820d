// Linux errno values that thread functions return.
//
// Owns:    nothing; constants.
#pragma once

namespace heddle::machine {

inline constexpr int kNotPermitted = 1, kNoSuchThread = 3, kTryAgain = 11, kBusy = 16, kInvalid = 22, kDeadlock = 35,
                     kOverflow = 75, kTimedOut = 110, kOwnerDead = 130, kNotRecoverable = 131;

inline constexpr int kProcess = 1000;  // getpid(); a thread's number is added for gettid()

}  // namespace heddle::machine
