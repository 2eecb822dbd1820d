// All projects of the daemon, and when it may leave.
//
// In:      requests as the service got them.
// Out:     answers and streams, each ended exactly once.
// Owns:    one Project per root; for files without a database one per root and list of files.
// Threads: the loop's thread; the service posts to it.
// Fails:   never. After close() a stream gets the verdict "the daemon is shutting down", and a question an empty
//          answer.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "server/daemon/project.h"

namespace heddle::daemon {

class Hub {
 public:
  // `leave` is called once, on the loop: when idle for long enough or asked to shut down. The owner then calls close().
  Hub(base::Loop& loop, const Settings& settings, std::function<void()> leave);
  ~Hub();
  Hub(const Hub&) = delete;
  Hub& operator=(const Hub&) = delete;

  void check(v1::CheckRequest request, const SinkPtr& sink);
  void watch(v1::CheckRequest request, const SinkPtr& sink);
  void replay(v1::ReplayRequest request, const SinkPtr& sink);
  void leave(const SinkPtr& sink);
  bool cancel(const v1::CancelRequest& request);
  void show(v1::ShowRequest request, std::function<void(v1::ShowResponse)> answer);
  void pairs(v1::PairsRequest request, std::function<void(v1::PairsResponse)> answer);
  void explain(v1::ExplainRequest request, std::function<void(v1::ExplainResponse)> answer);
  void status(v1::StatusRequest request, std::function<void(v1::StatusResponse)> answer);
  void shut_down();
  void touch() { last_busy_ = base::Loop::Clock::now(); }
  void close(const std::string& reason);

 private:
  Project& project_of(v1::CheckRequest& request);
  template <typename Question>
  Project& asked(Question& question);  // of pairs, of explanations
  // Those at the root; when there are none, the one that the request describes.
  std::map<std::string, Project*> projects_at(const std::string& root, v1::CheckRequest& request);
  void trim_engines();
  bool refuse(const SinkPtr& sink);
  void arm_idle();

  base::Loop& loop_;
  const Settings& settings_;
  const std::function<void()> leave_;
  uint64_t generations_ = 0;
  std::map<std::string, std::unique_ptr<Project>> projects_;
  base::Loop::Clock::time_point last_busy_;
  bool leaving_ = false, closed_ = false;
};

}  // namespace heddle::daemon
