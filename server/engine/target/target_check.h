// Checks one target: replays open findings, compares, explores, judges, and records.
//
// In:      a version of the target, its record in the ledger ("book"), the request.
// Out:     Started, Diffed; then PairStarted, PairFinished, Progress and findings; a Verdict after step 1, after step 2
//          if races are to be followed, and a final one. The book as it is after the check, uncommitted. With
//          `coverage`, a Coverage event in place of findings.
// Owns:    a running early search and its own tables; refers to the request, the project and the explorers, which must
//          outlive it.
// Threads: one (compare() may start a second one and join it).
// Fails:   limits and dead explorers make the verdict inconclusive and leave debt. An interrupt gives no verdict; it
//          leaves debt, unless the check has a given base or runs in the background.
// From:    docs/ALGORITHM.md, docs/LEDGER.md.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "heddle/v1/ledger.pb.h"
#include "server/engine/explorers/explorers.h"
#include "server/engine/project/project.h"
#include "server/engine/settings/baseline.h"
#include "server/engine/settings/suppressions.h"
#include "server/engine/target/anchors.h"
#include "server/engine/target/defect_groups.h"
#include "server/engine/target/not_explored.h"
#include "server/engine/target/orders.h"
#include "server/engine/target/scope.h"
#include "server/graph/types.h"
#include "server/verdict/steps.h"

namespace heddle::engine {

struct TargetRequest {
  std::string name;
  VersionPtr version;
  std::string text;                                    // hash of its files
  VersionPtr given_base;                               // --base; null: the ledger's
  std::string not_comparable;                          // why nothing is known of the given base; empty: it is
  std::string given_base_text;                         // "--base old.c"; empty: the ledger's
  std::optional<v1::VersionRecord> given_base_record;  // the ledger's record of the given base
  std::vector<uint32_t> rerun_pairs;                   // not empty: step 1 of these only, not from the ledger
  bool coverage = false;                               // what the pairs execute, instead of findings
  bool ledger_only = false;                            // explore nothing
  Suppressions* suppressions = nullptr;                // null: none
  const Baseline* baseline = nullptr;                  // null: none
  bool marks_older = false;                            // findings that the given base has, too, do not count
  bool full = false;
  bool weaken = false;  // after all graphs of the program, those with each order one step weaker
  bool no_wait_step2 = false;
  bool with_increments = false;   // the final verdict lists the increments that are remembered
  bool background = false;        // explore what is owed: one explorer of low priority, recorded only if it ends
  double time_limit_seconds = 0;  // of exploring; 0: the defaults
  base::SteadyTime started;       // of the whole check
  double compile_ms = 0;
  // Names this text of the target, with these settings, in whatever folder it is; for the store that a team shares.
  std::function<std::string()> portable_key;
  bool is_test_case = false;             // or a program of tests of which none runs
  std::vector<std::string> assumptions;  // known before: notes of the target and of the project
  std::vector<std::string> notes;        // of this check alone: what the ledger could not do
};

inline constexpr double kLongestIdleSeconds = 3600;  // of one search while no user waits

struct TargetOutcome {
  v1::Verdict verdict;  // the final one
  bool interrupted = false;
  bool owes = false;     // it ended, but not with everything explored
  bool deepens = false;  // it was for an idle machine, and more time may show more preemptive switches to be clear
};

// Calls heap memory as the program does, in the text that is checked.
void name_objects(v1::Finding& finding, FileStates& texts);

// The name of a target with the extension of its file. A target is called by it only while another program of the
// folder has the same name otherwise, and its book stays the same.
std::string lasting_name(const std::string& target, const Version& version);

// The key of a target's book in the ledger. Programs of x.c and x.cc in one folder have different keys.
std::string book_key(const std::string& target, const Settings& settings, const Version& version);

inline constexpr const char* kAssumedOfGraphs =
    "in execution graphs, accesses that are not atomic read the newest store, and order threads where the object "
    "is accessed atomically elsewhere";
// Of the time of a search that does not end: for all interleavings with few preemptive switches.
inline constexpr double kLadderShare = 0.25;
inline constexpr double kStep1Share = 0.5;   // of a time limit that covers both steps
inline constexpr double kPairShare = 0.34;   // of step 1's time, for one pair
bool reusable(const v1::JobResult& result);  // another try would gain nothing

class TargetCheck {
 public:
  using Emit = std::function<void(v1::Event)>;  // project, target, version, generation are added by the receiver

  TargetCheck(const TargetRequest& request, Project& project, Explorers& explorers, const Settings& settings,
              const Interrupt& interrupt, Emit emit);
  TargetOutcome run();
  // The longest search of this version while no user waited; 0: none was.
  double idle_seconds() const;

 private:
  struct Base {
    VersionPtr version;  // null: nothing to compare with
    v1::VersionRecord record;
    std::string text;
    // What was not explored of the base itself, in words: an increment on it is never clear. Empty: it was verified.
    const std::string& owed() const { return record.inconclusive(); }
  };
  struct Compared {
    Base base;
    edit::Impact impact;
  };
  // target_shared.cc: the store that a team shares
  std::optional<v1::VerdictRecord> shared_verdict();
  void export_verdict(const v1::VerdictRecord& known);

  // target_check.cc: the sequence of steps
  TargetOutcome answer_unknown();
  TargetOutcome answer_as_known(const v1::VerdictRecord& known);
  TargetOutcome answer_from_ledger(const v1::VerdictRecord& known);
  void move_known_findings(const v1::VerdictRecord& known, bool same_as_last, const std::string& compared_with);
  v1::Verdict known_verdict(const v1::VerdictRecord& known, bool same_as_last, const std::string& compared_with);
  void emit_fixed();
  void keep_known(const v1::VerdictRecord& known, const v1::Verdict& verdict);
  TargetOutcome explore_version();
  bool explore_all();              // false: interrupted
  bool explore_what_was_hidden();  // false: interrupted
  TargetOutcome finish(bool interrupted);
  bool usable(const v1::VerdictRecord& known) const;
  double offered_seconds() const;  // of exploring, at most

  // target_base.cc: what to compare with
  void replay_open();
  bool reproduced(const google::protobuf::RepeatedPtrField<v1::Finding>& findings) const;
  void compare();  // with the base that it chooses
  Compared compared_with(Base base) const;
  Base given_base();
  void probe_given_base(Base& base);
  Base verified_base();
  Base assumed_base();
  std::optional<Base> base_of(const v1::VersionRecord& record, const std::string& what);
  void keep_pairs(const std::vector<uint32_t>& pairs);
  void mark_older();  // findings that the given base has, too
  bool still_unknown(const v1::VersionRecord& record) const;
  bool may_move_limits(const Compared& with) const;
  bool limits_are_met() const;
  bool paths_are_too_long() const;
  bool met_new_limits() const;
  bool met_new_end() const;
  void emit_started();
  void look_inside() const;  // what was compared, for developers
  void note_unknown();
  bool may_run(const std::vector<program::CodeAddress>& places) const;
  std::string allowed_values(const std::string& function) const;
  std::string filled_memory(const std::string& function) const;
  void assume_data();
  void emit_diffed();

  // target_steps.cc: the explorations
  class Step1;
  bool run_step1();  // false: interrupted
  bool run_step2();
  bool library_reads_atomics() const;
  void pairs_are_covered();
  bool run_consequences();
  struct WholeStep {
    std::string name;  // for people
    verdict::Search search = verdict::Search::Full;
    verdict::Phase phase = verdict::Phase::Full;
  };
  std::optional<v1::JobResult> run_whole(Work work, const WholeStep& what);
  Job whole_job(bool follow_races) const;
  Work whole_work() const;
  Job pair_job(const edit::Pair& pair) const;
  void add_program(program::Hasher& h) const;
  std::string pair_key(const edit::Pair& pair) const;
  std::string whole_key(const Job& job) const;
  std::optional<v1::JobResult> known_result(const std::string& key);
  void remember_result(const std::string& key, const v1::JobResult& result);
  void heard(v1::Finding finding, verdict::Search search);
  void keep_origins(v1::Finding& finding) const;
  void report_groups();  // of what was found until now; those that differ from what was reported
  void assume(const std::string& text);
  void note_assumptions(const v1::JobResult& result);
  void note_limits(const v1::JobResult& result);
  void note_what_was_not_begun();
  bool has_more_than_main() const;
  bool has_thread_creation() const;
  void note_what_never_ran();
  void count(const std::string& job_name, const v1::JobResult& result, double seconds);
  base::SteadyTime deadline(double default_seconds, double share) const;

  // target_parts.cc: a full search of long duration, on several cores and machines
  bool searches_in_parts(const Work& work, const v1::JobResult* stand) const;
  Explorers::Outcome run_in_parts(const Work& work, const ExplorerListener& listener, const v1::JobResult* stand);

  // target_concurrent.cc: the search of everything that runs concurrently with both steps
  bool searches_concurrently() const;
  void begin_concurrent_search(size_t pairs);
  Job concurrent_job(size_t pairs) const;
  Explorers::Outcome run_with_concurrent_search(Work work, const ExplorerListener& listener);
  Explorers::Outcome run_first_of(Work work, const ExplorerListener& listener, std::unique_ptr<RunningJob> search);

  // target_weak.cc: what the memory orders allow beyond one order of all operations
  bool run_weak();  // false: interrupted
  bool weak_known();
  bool weak_continues() const;
  void take_weak_of_base();
  std::optional<v1::JobResult> weak_result();
  std::optional<v1::JobResult> search_weak(Version& version, base::SteadyTime deadline);
  std::set<std::string> weak_of_base(const v1::JobResult& result);
  Work weak_work(Version& version, base::SteadyTime deadline) const;
  std::string weak_key() const;
  std::string weak_model() const;
  v1::MemoryModel searched_model() const;
  graph::Rules graph_rules(v1::MemoryModel model) const;
  bool weak_is_needless() const;
  bool shows_errors_without_weak() const;
  double weak_seconds() const;
  base::SteadyTime weak_deadline() const;
  void note_weak(const v1::JobResult& result, double seconds);
  void note_weak_to_come(v1::Scope& scope) const;
  void weak_is_cut(const std::string& why);
  void close_weak();
  void report_values(const std::string& model, const std::string& text);
  std::string weak_owed() const;

  // target_orders.cc: the same program with other memory orders
  void add_remedies(google::protobuf::RepeatedPtrField<v1::Finding>& findings);
  void add_remedies_to_reported();
  std::optional<v1::Remedy> remedy_of(const v1::Finding& finding, base::SteadyTime deadline);
  std::optional<bool> forbids(const std::vector<OrderChange>& changes, const v1::Finding& finding,
                              base::SteadyTime deadline);
  bool run_weaken();  // false: interrupted
  bool weaken_one(const OrderChange& change);

  // target_coverage.cc: what the pairs execute
  bool run_coverage();  // false: interrupted

  // target_kept.cc: open findings that were not seen again; what suppressed findings hide
  bool explored() const;
  const std::set<std::string>& functions() const;
  const v1::Finding* replaced_by(const v1::Finding& finding) const;
  bool is_renamed(const v1::Finding& old, const v1::Finding& finding) const;
  bool is_gone(const v1::Finding& finding) const;
  bool is_excluded(const v1::Finding& old) const;
  void close_open_findings();
  std::vector<std::string> open_races() const;
  bool only_known_races() const;
  bool known_not_to_end(const std::vector<std::string>& races) const;
  void remember_unended(const std::vector<std::string>& races);
  void note_unended_consequences(v1::Scope& scope) const;
  void note_hidden(v1::Scope& scope) const;
  bool never_ends() const;
  std::optional<std::string> all_hidden(bool never_ends) const;
  void take_as_base(const v1::VersionRecord& version);

  // target_record.cc: the verdict and the books
  // All interleavings with this number of preemptive switches at most were explored, and nothing was found.
  std::optional<uint32_t> clear_with() const;
  void note_idle_time();
  bool is_deeper() const;            // that number is larger than what was known of this version
  bool complete() const;             // nothing of the change is owed
  bool explored_everything() const;  // every interleaving of this version, whatever the base
  bool owes_time() const;            // more time would help
  bool rests_on_owing_base() const;
  std::vector<std::string> not_looked_at() const;  // of this version, in words
  std::string why_not_clear(verdict::Step step, uint32_t not_confirmed) const;
  void keep(const v1::VersionRecord& version);  // as what later versions are compared with
  v1::Verdict verdict(verdict::Step step);
  void report_unknown_that_mattered(v1::Scope& scope) const;
  void name_program_files(v1::Scope& scope) const;
  void suppress(v1::Finding& finding) const;
  void count_findings(v1::Verdict& verdict) const;  // those that are new and not suppressed count
  void record(const v1::Verdict& verdict);
  // What the book keeps for `pairs`: this comparison if it saw a change, else the one before, which has the lines of
  // `version`.
  v1::Diffed last_change(const v1::Diffed& before, const v1::VersionRecord& version);
  // Records the kind of edit and its findings; `since` as in v1::Increment.
  void remember_increment(const v1::Verdict& verdict, int64_t since_unix_ms);
  void keep_blame(v1::Finding& finding, const v1::Finding& old);
  v1::Diffed edit_since_last();
  void emit_final(v1::Verdict verdict);
  std::string increment_key(std::optional<int64_t> at_unix_ms) const;  // nothing: the prefix of all of the target
  v1::VersionRecord version_record();
  std::string book_key() const;
  std::string verdict_key() const;

  const TargetRequest& request_;
  Project& project_;
  Explorers& explorers_;
  const Settings& settings_;
  const Interrupt& interrupt_;
  Emit emit_;

  v1::Book book_;
  Base base_;
  edit::Impact impact_;
  edit::Relevant relevant_;
  v1::Diffed diffed_;
  std::map<std::string, v1::Finding> open_before_;  // by id: open when the check began
  std::set<std::string> replayed_;                  // ids that their schedule still shows
  std::vector<v1::Finding> replay_findings_;
  std::vector<v1::Finding> present_;  // findings of this version, in the order of their events
  std::map<std::string, size_t> present_index_;
  std::map<std::string, size_t> races_;          // by their places
  mutable std::set<std::string> functions_;      // of the program, as findings name them; empty: not asked for yet
  std::set<uint64_t> racy_;                      // statements that race, from both steps
  DefectGroups groups_;                          // of `present_`, as they were heard
  std::set<std::string> leaders_;                // ids of findings that stand for a defect, as was reported
  std::vector<std::string> fixed_;               // ids
  std::map<std::string, std::string> replaced_;  // by id: open before -> the id that the error has now

  std::unique_ptr<RunningJob> concurrent_search_;   // the running full search that began before the comparison
  std::optional<v1::JobResult> concurrent_result_;  // its result, not reported yet
  v1::Scope scope_;
  std::vector<std::string> notes_;
  ScopeFacts scope_facts_;
  v1::Statistics stats_;
  std::map<std::string, v1::JobLimit> limits_;  // paths that ended at limits of Heddle's
  std::vector<std::string> incomplete_;         // jobs that did not end, in words
  std::string busiest_;                         // where the whole search, which did not end, took its steps; or empty
  uint32_t threads_met_ = 0;                    // main and those that were started; 0: nothing was executed
  bool runs_functions_ = false;                 // of the project, other than main
  bool finishes_ = false;                       // some path came to the end of the process without an error
  bool lost_explorer_ = false;                  // killed or crashed: another try may fare better
  bool step1_complete_ = true, step2_complete_ = false, step2_wanted_ = false;
  bool step2_known_ = false;           // the bounded probe or the concurrent full search has ended
  bool whole_searched_ = false;        // a search of all interleavings came to its end
  bool consequences_complete_ = true;  // false until the search of what the races lead to has ended
  base::SteadyTime search_started_;
  double limit_seconds_ = 0, step1_seconds_ = 0;
  Beyond beyond_;                // what the language allows beyond what interleavings show
  double weak_cut_seconds_ = 0;  // the time that did not suffice for the execution graphs; 0: it did
};

}  // namespace heddle::engine
