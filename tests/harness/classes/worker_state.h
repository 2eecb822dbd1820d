// A flag is not atomic.
#pragma once

#include <atomic>
#include <mutex>

namespace wrong {

class WorkerState {
 public:
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }

 private:
  bool stopped_ = false;
};

}  // namespace wrong

namespace right {

class WorkerState {
 public:
  void stop() { stopped_ = true; }
  bool stopped() const { return stopped_; }

 private:
  std::atomic<bool> stopped_{false};
};

}  // namespace right
