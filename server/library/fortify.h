// What Heddle says with the argument `flag` of the forms of _FORTIFY_SOURCE.
//
// In:      nothing.
// Out:     a value of that argument.
// Owns:    constants.
// Threads: constant data.
// Fails:   never.
#pragma once

namespace heddle::library {

// What glibc's headers never pass. Of `__snprintf_chk` and its like only the bytes that are written have to fit; with any
// other value the size that it is given has to.
inline constexpr int kWrittenOnly = -1;

// A call of it precedes calls that write to a member: where that is, and how many bytes it has.
inline constexpr const char* kRoomCall = "__heddle_room";

}  // namespace heddle::library
