// One project of the language server: which files owe a check, the running check, and what is known.
//
// In:      files that were saved, opened or changed; events of the running check.
// Out:     Listener calls on the loop.
// Owns:    the thread of the running check; joined before the next check begins, and by close().
// Threads: the loop's thread. The thread of a check only asks the daemon and posts.
// Fails:   a daemon that cannot be reached, or a check that another client cut short, is tried again, at most 8 times
//          with growing pauses. What a check that was cut short owed is part of the next one.
// From:    `docs/LSP.md`.
#pragma once

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>

#include "client/link/backend.h"
#include "client/link/cancellation.h"
#include "client/lsp/answer_times.h"
#include "client/lsp/findings.h"
#include "client/lsp/ledger_watch.h"
#include "client/lsp/verdict_model.h"
#include "server/base/loop.h"
#include "server/base/mutex.h"
#include "server/verdict/background.h"

namespace heddle::client::lsp {

enum class RerunFor : uint8_t { Findings, Coverage };

// What a check is asked for.
struct Wanted {
  std::set<std::string> files;
  bool all = false;                        // every target of the project
  bool full = false;                       // every interleaving
  std::string target = {};                 // of rerun_pairs
  std::vector<uint32_t> rerun_pairs = {};  // these alone, in a check of their own
  RerunFor rerun_for = RerunFor::Findings;
  bool known_only = false;  // what the ledger knows by now; nothing is explored
  bool empty() const { return files.empty() && !all; }
  void add(const Wanted& other);
};

class ProjectSession {
 public:
  struct Listener {
    // Fills in texts and settings; the snapshot belongs to what the request says.
    std::function<Snapshot(v1::CheckRequest&)> prepare;
    std::function<void()> status_changed;             // phase, progress, begin and end
    std::function<void()> results_changed;            // findings, fragments, pairs, verdicts
    std::function<void(const std::string&)> trouble;  // once per kind of failure, for people
    std::function<void(const std::string& target, const v1::Coverage&)> covered;
  };
  ProjectSession(base::Loop& loop, Documents& documents, std::string root, std::string lone_file, Listener listener);
  ~ProjectSession();
  ProjectSession(const ProjectSession&) = delete;
  ProjectSession& operator=(const ProjectSession&) = delete;

  // A newer text: the running check is ended and its files join the new one.
  void check(const Wanted& wanted);
  // Only if no check has covered the file yet; waits for the running check.
  void check_unseen(const std::string& file);
  void edited(const std::string& path, const Edit& edit);  // an open document: places move
  // Another client may have had the project checked: what the ledger knows of the text as it is now counts as a check.
  // Nothing, while a check runs or waits.
  void take_over_what_is_known();
  LedgerWatch ledger;            // its folder is what the daemon says after a check
  uint64_t ledger_asked_at = 0;  // generation: the daemon was asked for it then
  // What the engine does with what the last check left, as the daemon said last. It is asked while `awaited` is not 0:
  // until it says several times that nothing is done.
  struct Background {
    std::optional<verdict::Background> work;
    unsigned awaited = 0;
    bool asked = false;  // the answer has not come
  } background;
  void heard_status(const v1::ProjectStatus& status);
  // Explores some pairs of the last check once more, when no check waits.
  void rerun(const std::string& target, std::vector<uint32_t> pairs, RerunFor what);
  void cancel();  // the running check and all that wait; the user wants it
  void close();   // ends the running check; nothing is called any more

  const std::string& root() const { return root_; }
  const std::string& lone_file() const { return lone_file_; }
  std::string name() const { return lone_file_.empty() ? root_ : lone_file_; }
  // How the daemon finds the project.
  v1::CheckRequest description() const;

  Findings findings;
  struct Warning {
    Placed place;
    std::string message;
  };
  std::vector<Warning> warnings;  // of suppressions, as the last check said them
  struct Running {
    uint64_t run = 0, generation = 0;
    Wanted wanted;
    std::string phase = "connecting", unit;
    uint32_t done = 0, of = 0;
    double seconds = 0;
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
  };
  const std::optional<Running>& running() const { return running_; }
  // The text of an open file as the check that runs, else the last one, saw it; null: none did.
  TextPtr last_seen(const std::string& path) const { return seen_ ? seen_->known(path) : nullptr; }
  // The text of a file as the last verdict is about it; null: it did not see the file as an open one.
  TextPtr judged_text(const std::string& path) const { return judged_ ? judged_->known(path) : nullptr; }
  // A check runs that a user asked for.
  bool busy() const { return running_ && !running_->wanted.known_only; }
  SessionFacts facts() const;
  VerdictModel model() const { return model_of(findings.targets(), facts()); }
  // The daemon knows the text that the check which runs, else the last one, has seen.
  bool known_to_daemon() const {
    return !running_ ||
           (running_->phase != "connecting" && running_->phase != "queued" && running_->phase != "compile");
  }
  // A place of the last check, moved into the text as it is now; none: it was edited since.
  std::optional<Placed> place_seen(const v1::Place& place);
  bool waiting() const { return !pending_.empty() || !reruns_.empty() || retry_armed_; }
  const std::string& message() const { return message_; }  // what is wrong and the remedy
  bool daemon_answers() const { return daemon_answers_; }
  const std::optional<v1::Verdict>& verdict() const { return verdict_; }
  uint64_t generation() const { return generation_; }
  int64_t verdict_unix_ms() const { return verdict_unix_ms_; }
  int64_t ended_unix_ms() const { return ended_unix_ms_; }  // the last check
  const AnswerTimes& answer_times() const { return answer_times_; }
  bool text_is_newer = false;  // than what the last verdict is about (set by the server)

 private:
  struct Control {  // shared with the thread of a run
    Cancellation cancellation;
    base::Mutex mutex;
    Backend* backend HEDDLE_GUARDED_BY(mutex) = nullptr;
  };
  void begin();
  void interrupt();
  void owe_the_rest();
  void on_event(uint64_t run, const v1::Event& event);
  void take(uint64_t run, const v1::Event& event);
  void on_verdict(uint64_t run, const v1::Event& event);
  void widen_to_programs(Wanted& wanted) const;
  void no_programs();
  void on_final_verdict(const v1::Verdict& verdict);
  std::vector<ShownUnchecked> shown_unchecked(const v1::Verdict& verdict, bool whole_check);
  void on_end(uint64_t run, const std::optional<Failure>& failure);
  void measure(const Running& ended);
  void retry(const Wanted& wanted);
  void set_pair_state(const v1::Event& event, const v1::Pair& pair, uint32_t executions_known);

  base::Loop& loop_;
  Documents& documents_;
  const std::string root_, lone_file_;
  Listener listener_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);

  Wanted pending_;
  std::deque<Wanted> reruns_;         // one after the other, when nothing else waits
  std::set<std::string> seen_files_;  // some check covered them
  std::optional<Running> running_;
  std::shared_ptr<SeenTexts> seen_;         // by the check that runs or ran last
  std::shared_ptr<SeenTexts> judged_;       // by the one that gave the last verdict
  std::shared_ptr<SeenTexts> seen_before_;  // by the one before it
  std::shared_ptr<Control> control_;
  std::thread thread_;
  enum class Ended : uint8_t { No, Superseded, ByUser };
  Ended ended_ = Ended::No;
  std::vector<Warning> new_warnings_;  // of the running check
  bool got_verdict_ = false, cut_short_ = false;
  bool target_has_verdict_ = false;   // of the running check: a target has a verdict
  bool not_known_ = false;            // of the running check, of what is known only: a target is not
  std::vector<v1::Event> held_back_;  // of that check, until its verdict: nothing of it is shown in part
  uint64_t no_target_run_ = 0;        // the last check, if it came to none
  std::set<std::string> failed_files_;
  unsigned attempts_ = 0;
  bool retry_armed_ = false;
  bool daemon_answers_ = true;
  std::string message_, reported_;
  std::optional<v1::Verdict> verdict_;
  uint64_t generation_ = 0;
  int64_t verdict_unix_ms_ = 0, ended_unix_ms_ = 0;
  AnswerTimes answer_times_;
  static uint64_t runs_;
};

}  // namespace heddle::client::lsp
