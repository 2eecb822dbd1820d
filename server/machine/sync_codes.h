// Linux errno values that thread functions return.
//
// Owns:    nothing; constants.
#pragma once

namespace heddle::machine {

inline constexpr int kNotPermitted = 1, kNoSuchThread = 3, kTryAgain = 11, kBusy = 16, kInvalid = 22, kDeadlock = 35,
                     kOverflow = 75, kNoSystemCall = 38, kTimedOut = 110;

}  // namespace heddle::machine
