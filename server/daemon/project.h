// One project: its engine, the running check, the waiting checks, and the clients that listen.
//
// In:      requests and sinks from the hub; frames from the engine; saves.
// Out:     events to sinks. Every stream of a check ends with a verdict, whatever happens to the engine; that of a
//          background check ends at once without one.
// Owns:    the engine process. No truth about the program: verdicts, debt and findings are in the engine's ledger.
// Threads: the loop's thread.
// Fails:   an engine that dies is started again and the check repeated once; after that the verdict says so.
// From:    ours; `server/daemon/README.md` has the rules.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "heddle/v1/engine.pb.h"
#include "server/base/loop.h"
#include "server/daemon/engine_process.h"
#include "server/daemon/event_sink.h"
#include "server/daemon/latency.h"
#include "server/daemon/settings.h"
#include "server/daemon/source_watch.h"

namespace heddle::daemon {

class Project {
 public:
  // `files`: of a project without a database, for the status.
  Project(base::Loop& loop, const Settings& settings, std::string root, std::vector<std::string> files,
          uint64_t& generations);
  ~Project();
  Project(const Project&) = delete;
  Project& operator=(const Project&) = delete;

  // A newer check replaces an older one of its client. If it asks the same about unchanged files, both listen to the
  // running one. Checks of several clients take turns, see rank().
  void check(const v1::CheckRequest& request, const SinkPtr& sink);
  void replay(const v1::ReplayRequest& request, const SinkPtr& sink);
  void watch(const v1::CheckRequest& request, const SinkPtr& sink);
  void leave(const EventSink* sink);  // the client is gone
  bool cancel(uint64_t generation);   // 0: whatever runs or waits
  void show(const v1::ShowRequest& request, std::function<void(v1::ShowResponse)> answer);
  void pairs(const v1::PairsRequest& request, std::function<void(v1::PairsResponse)> answer);
  void explain(const v1::ExplainRequest& request, std::function<void(v1::ExplainResponse)> answer);
  void status(const v1::CheckRequest& project, std::function<void(v1::ProjectStatus)> answer);
  void close(const std::string& reason);  // ends all streams and the engine
  bool idle() const;
  bool has_engine() const { return engine_ != nullptr; }
  void rest();  // REQUIRES idle(); the engine is asked what is open, and stopped; its ledger is on the disk
  base::Loop::Clock::time_point last_used() const { return last_heard_; }
  const std::string& root() const { return root_; }
  const std::vector<std::string>& lone_files() const { return lone_files_; }
  bool has_reported(const std::string& id_prefix) const;  // a finding with such an id, since the daemon started

 private:
  enum class Origin : uint8_t { Client, Watch, Debt };  // Debt: of a client that did not wait
  // What the clients of a job still wait for.
  enum class Phase : uint8_t { Waiting, Running, GivingWay, Cancelled };  // GivingWay: ended, to be begun again
  struct Job {
    uint64_t generation = 0;
    v1::Frame frame;  // check or replay
    Origin origin = Origin::Client;
    Phase phase = Phase::Waiting;
    std::vector<SinkPtr> sinks;
    std::vector<std::shared_ptr<const v1::Event>> history;  // for clients that join
    std::set<std::string> findings_sent;                    // a repeated run does not repeat them
    uint64_t started_ns = 0;                                // file clock
    unsigned attempts = 0;
    bool answered = false;             // its first step has a verdict
    bool gave_way = false;             // it yielded before: what it found then is known
    bool verdict_sent = false;         // the combined, final one
    std::string progress_phase, unit;  // last heard: for the message if the engine dies
  };
  struct Question {
    std::function<void(const v1::Frame*)> answer;
    base::Loop::TimerId timer;
  };  // null: no answer came

  // project.cc: jobs
  void owe(v1::CheckRequest request);
  bool start_debt();
  bool wait_for_power();  // true: debts wait
  void submit(Job job);
  bool join_running(const Job& job);
  void supersede(const Job& newer, const std::string& reason);
  static unsigned rank(const Job& job);  // the lowest runs
  std::deque<Job>::iterator next();      // of those that wait
  void give_way();                       // to a waiting job of better rank
  void resume(Job job);                  // later
  void report_queued(Job& job);
  void stop_engine_job();
  void pump();
  void start(Job job);
  void cancel_active(const std::string& reason);
  void end_with(Job& job, v1::VerdictKind kind, v1::ErrorClass error, const std::string& message);
  static bool is_new_to(Job& job, const v1::Event& event);  // a finding
  static bool is_of_the_files(const Job& job);
  static bool is_waited_for(const Job& job);
  void remember(const v1::Verdict& verdict);  // for the status
  void deliver(Job& job, v1::Event event);
  void finish(Job& job);
  void submit_watch();
  void saved();
  bool changed_since(uint64_t file_clock) const;
  std::vector<std::string> watched_files() const;

  // project_engine.cc: the engine
  bool ensure_engine(Error& error);
  void engine_ready(uint32_t events);
  void read_engine_errors();
  void on_frame(v1::Frame frame);
  void on_event(v1::Event event);
  void on_done(const v1::Frame& frame);
  void engine_ended(const std::string& how);
  void drop_engine();
  void arm_silence();
  void arm_hang(base::Loop::Clock::time_point heard_before);
  void ask(v1::Frame frame, std::chrono::milliseconds limit, std::function<void(const v1::Frame*)> answer);
  void describe(v1::ProjectStatus& status) const;
  std::chrono::milliseconds restart_delay();

  base::Loop& loop_;
  const Settings& settings_;
  const std::string root_;
  const std::vector<std::string> lone_files_;
  std::deque<v1::CheckRequest> debts_;  // checked when nothing else waits
  uint64_t& generations_;               // the hub's counter: unique in this daemon

  std::unique_ptr<EngineProcess> engine_;
  std::string error_lines_;  // of the engine, not yet ended by a newline
  bool engine_killed_by_us_ = false;
  std::vector<base::Loop::Clock::time_point> crashes_;
  unsigned restarts_ = 0;
  base::Loop::TimerId restart_timer_ = 0, silence_timer_ = 0, grace_timer_ = 0, answer_timer_ = 0, power_timer_ = 0;
  base::Loop::Clock::time_point last_heard_;  // of the engine

  std::optional<Job> active_;
  std::deque<Job> waiting_;
  std::map<uint64_t, Question> questions_;  // Frame.request ->

  struct Watcher {
    SinkPtr sink;
    v1::CheckRequest request;
  };
  std::vector<Watcher> watchers_;
  bool watch_owed_ = false;  // another client's check cut short that of a watch
  std::unique_ptr<SourceWatch> source_watch_;
  std::vector<std::string> files_;   // of the last check
  std::vector<std::string> absent_;  // files that did not exist, and would matter
  uint64_t last_start_ns_ = 0;       // file clock

  std::set<std::string> reported_;  // ids of findings
  LatencyBook latency_;
  std::string last_verdict_;
  int64_t last_verdict_unix_ms_ = 0;
  bool last_complete_ = false;  // as the last verdict has it
  uint32_t last_open_findings_ = 0, last_pairs_owed_ = 0;
};

}  // namespace heddle::daemon
