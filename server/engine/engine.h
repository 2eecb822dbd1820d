// The engine's main loop: frames in, events out, one check at a time.
//
// In:      Frames on a socket (proto/heddle/v1/engine.proto).
// Out:     Frames. Show, pairs and status are answered at once, also while a check explores; a newer check, a cancel or
//          a shutdown stops the running one within a poll.
// Owns:    projects, explorers, the socket. Threads: one.
// Fails:   a broken channel ends the engine with a message.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "heddle/v1/engine.pb.h"
#include "server/engine/check.h"
#include "server/base/frames.h"

namespace heddle::engine {

class Engine {
 public:
  // `channel` -1: no channel; requests are run by run_once.
  Engine(int channel, Settings settings);
  // Serves until the channel ends or a shutdown arrives. Returns the exit code.
  int serve();
  // A whole check without a channel; every frame goes to `sink`.
  v1::Verdict run_once(const v1::CheckRequest& request, const std::function<void(const v1::Frame&)>& sink);

 private:
  void send(v1::Frame frame);
  void send_done(uint64_t request, const std::string& error = "");
  // Takes what arrived; answers what can be answered at once, keeps the rest. True: stop what runs.
  bool take_frames();
  void take(v1::Frame frame);
  void run(const v1::Frame& frame);
  void check(uint64_t request, const v1::CheckRequest& wanted);
  void replay(uint64_t request, const v1::ReplayRequest& wanted);
  v1::ShowResponse show(const v1::ShowRequest& wanted);
  v1::PairsResponse pairs(const v1::PairsRequest& wanted);
  v1::ExplainResponse explain(const v1::ExplainRequest& wanted);
  v1::ProjectStatus status(const v1::StatusRequest& wanted);
  void remember_latency(const v1::Verdict& verdict);
  // Books of a project, by target.
  std::map<std::string, v1::Book> books(Project& project);
  void store(Project* project);
  void work_in_background();
  void prepare();                           // for the next save

  const Settings settings_;
  base::FrameReader reader_;
  int channel_;
  std::function<void(const v1::Frame&)> sink_;
  Projects projects_;
  Explorers explorers_;
  std::deque<v1::Frame> waiting_;           // checks and replays
  uint64_t running_ = 0;                    // request that runs; 0: none
  bool stop_ = false;                       // stop what runs
  bool ended_ = false;
  int exit_code_ = 0;

  std::string phase_ = "idle";
  Project* current_ = nullptr;
  std::deque<Owed> owed_;                   // of the last check
  bool prepared_ = true;                    // nothing has been checked since
  std::string last_verdict_;
  int64_t last_verdict_unix_ms_ = 0;
  bool last_complete_ = false;
  std::map<std::string, std::vector<double>> latency_;   // phase -> milliseconds of recent checks
};

}  // namespace heddle::engine
