// Measures durations by the steady clock, and dates by the system clock.
//
// In:      points in time; seconds.
// Out:     durations in milliseconds or seconds; dates in milliseconds since 1970 (unix_ms).
// Owns:    nothing.
// Threads: callable anywhere.
// Fails:   never; after_seconds needs a duration that the clock can represent.
#pragma once

#include <chrono>
#include <cstdint>

namespace heddle::base {

using SteadyTime = std::chrono::steady_clock::time_point;

inline SteadyTime now() { return std::chrono::steady_clock::now(); }
inline double ms_since(SteadyTime start) { return std::chrono::duration<double, std::milli>(now() - start).count(); }
inline double seconds_until(SteadyTime deadline) { return std::chrono::duration<double>(deadline - now()).count(); }
inline SteadyTime after_seconds(SteadyTime start, double seconds) {
  return start + std::chrono::duration_cast<SteadyTime::duration>(std::chrono::duration<double>(seconds));
}
inline int64_t unix_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace heddle::base
