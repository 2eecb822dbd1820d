// The progress line of a check that lasts more than half a second, on a terminal; erased before anything else is
// written.
//
// In:      events; ticks from a helper thread.
// Out:     one line on standard error.
// Owns:    what it has drawn.
// Threads: any; the methods lock.
// Fails:   never; without a terminal it does nothing.
#pragma once

#include <chrono>
#include <string>

#include "client/report/terminal.h"
#include "heddle/v1/heddle.pb.h"
#include "server/base/mutex.h"

namespace heddle::client {

class Progress {
 public:
  Progress(const Style& style, bool enabled);
  ~Progress() { erase(); }
  void restart();  // a new check begins
  void event(const v1::Event& event);
  void tick();  // draws when it is time
  void erase();
  bool enabled() const { return enabled_; }
  static std::string line(const std::string& phase, uint32_t done, uint32_t of, uint64_t executions, double seconds,
                          const Style& style);

 private:
  const Style style_;
  const bool enabled_;
  base::Mutex mutex_;
  std::chrono::steady_clock::time_point started_ HEDDLE_GUARDED_BY(mutex_);
  bool running_ HEDDLE_GUARDED_BY(mutex_) = false, drawn_ HEDDLE_GUARDED_BY(mutex_) = false;
  std::string phase_ HEDDLE_GUARDED_BY(mutex_) = "starting";
  uint32_t done_ HEDDLE_GUARDED_BY(mutex_) = 0, of_ HEDDLE_GUARDED_BY(mutex_) = 0;
  uint64_t executions_ HEDDLE_GUARDED_BY(mutex_) = 0;
};

}  // namespace heddle::client
