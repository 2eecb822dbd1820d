// Runs the engine's main loop: frames in, events out, one check at a time.
//
// In:      frames on a socket (proto/heddle/v1/engine.proto).
// Out:     frames. Show, pairs, explain and status are answered while a check runs, too. A newer check, a cancel or a
//          shutdown stops the running one at its next poll: at once while it explores, between units while it compiles.
// Owns:    projects and explorers; the channel belongs to the caller.
// Threads: one.
// Fails:   a broken channel ends serve() with a message on stderr and exit code 3; a closed one ends it with 0.
#pragma once

#include <deque>
#include <set>
#include <string>
#include <vector>

#include "heddle/v1/engine.pb.h"
#include "server/base/compile_environment.h"
#include "server/base/frames.h"
#include "server/engine/check.h"

namespace heddle::engine {

class Engine {
 public:
  // `channel` -1: no channel; requests are run by run_once.
  Engine(int channel, Settings settings);
  // Serves until the channel ends or a shutdown arrives. Returns the exit code.
  int serve();
  // Runs a whole check without a channel; every frame goes to `sink`.
  v1::Verdict run_once(const v1::CheckRequest& request, const std::function<void(const v1::Frame&)>& sink);

 private:
  void send(v1::Frame frame);
  void send_done(uint64_t request, const std::string& error = "");
  // Reads the frames that arrived: answers questions, queues checks and replays. True: the running check must stop.
  bool take_frames();
  void take(v1::Frame frame);
  void run(const v1::Frame& frame);
  void check(uint64_t request, const v1::CheckRequest& wanted);
  void use_environment(const v1::CheckRequest& request);
  void replay(uint64_t request, const v1::ReplayRequest& wanted);
  v1::Verdict replay_in(Project& project, const v1::CheckRequest& where, const v1::ReplayRequest& wanted,
                        const std::function<void(v1::Event)>& send_event);
  v1::ShowResponse show(const v1::ShowRequest& wanted);
  v1::PairsResponse pairs(const v1::PairsRequest& wanted);
  v1::PairsResponse known_pairs(Project& project, const v1::PairsRequest& wanted);
  std::vector<CompiledUnitPtr> broken(Project* project, const v1::PairsRequest& wanted, bool known);
  v1::ExplainResponse explain(const v1::ExplainRequest& wanted);
  v1::ProjectStatus status(const v1::StatusRequest& wanted);
  // The newest target record ("book") of each target that is there, with its name.
  using Books = std::vector<std::pair<std::string, v1::Book>>;
  Books books(Project& project);
  void store(Project* project);
  void work_in_background();
  void prepare();  // for the next save

  const Settings settings_;
  base::FrameReader reader_;
  int channel_;
  std::function<void(const v1::Frame&)> sink_;
  Projects projects_;
  Explorers explorers_;
  std::deque<v1::Frame> waiting_;  // checks and replays
  uint64_t running_ = 0;           // request that runs; 0: none
  bool stop_ = false;              // the running check or replay must stop
  bool ended_ = false;
  int exit_code_ = 0;

  std::string phase_ = "idle";
  Project* current_ = nullptr;
  std::deque<Owed> owed_;  // of the last check
  const base::CompileEnvironment own_environment_ = base::compile_environment();
  bool prepared_ = true;        // nothing has been checked since
  std::set<std::string> open_;  // files that the last check named, or whose text it had
};

}  // namespace heddle::engine
