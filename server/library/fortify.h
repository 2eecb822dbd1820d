// The forms of _FORTIFY_SOURCE: what Heddle says with their argument `flag`.
#pragma once

namespace heddle::library {

// What glibc's headers never pass. Of `__snprintf_chk` and its like only the bytes that are written have to fit; with any
// other value the size that it is given has to.
inline constexpr int kWrittenOnly = -1;

}  // namespace heddle::library
