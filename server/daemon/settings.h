// What can be set about a daemon; tests shorten the times.
//
// In:      nothing; `heddled_main.cc` fills it from the environment.
// Out:     paths, times in milliseconds, counts.
// Owns:    values.
// Threads: any; constant once the daemon runs.
// Fails:   never.
#pragma once

#include <chrono>
#include <string>

namespace heddle::daemon {

struct Settings {
  std::string engine_binary;
  std::chrono::milliseconds idle_exit{15 * 60'000};   // no request, no watch
  std::chrono::milliseconds engine_silence{120'000};  // a busy engine that sends nothing for so long is hung
  std::chrono::milliseconds turn{300};                // how long a check may run after its first step if others wait
  std::chrono::milliseconds cancel_grace{3'000};      // for an engine to stop before it is killed
  std::chrono::milliseconds answer_limit{30'000};     // show, pairs
  std::chrono::milliseconds status_limit{2'000};
  unsigned engines_max = 6;                            // running; idle ones beyond that are stopped, oldest first
  std::chrono::milliseconds engine_idle{10 * 60'000};  // an engine without a request for so long is stopped
  std::chrono::milliseconds power_look{5'000};         // between two looks at the power supply, while debts wait for it
  std::chrono::milliseconds crash_window{60'000};
  unsigned crashes_max = 8;  // in that window: no new engine until it has passed
};

}  // namespace heddle::daemon
