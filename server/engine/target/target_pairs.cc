// Step 1: the pairs of threads around what changed. A search of everything before them or concurrent with them may make
// them superfluous (explore::bounded_probe, explore::concurrent_search, explore::delayed_search).
#include <algorithm>
#include <set>
#include <utility>

#include "server/engine/target/target_check.h"
#include "server/engine/wire/convert.h"

namespace heddle::engine {
class TargetCheck::Step1 {
 public:
  explicit Step1(TargetCheck& check) : check_(check), keys_(check.impact_.pairs.size()) {}

  bool run() {  // false: interrupted
    set_deadline();
    ask_for_pairs();
    if (!asked_.empty()) check_.begin_concurrent_search(asked_.size());
    std::unique_ptr<RunningJob> search = asked_.empty() ? nullptr : std::move(check_.concurrent_search_);
    if (search)
      add_concurrent_search();
    else if (!asked_.empty() && check_.request_.rerun_pairs.empty())
      add_probes();
    bool interrupted = false;
    if (!work_.jobs.empty()) {
      Explorers::Outcome outcome = check_.explorers_.run(work_, listener(), check_.interrupt_, std::move(search));
      interrupted = outcome.interrupted;
      check_.concurrent_search_ = std::move(outcome.last);
    }
    if (pairs_had_their_time()) take_concurrent_result();
    if (check_.step2_known_) cover_the_rest();
    check_.stats_.mutable_ms()->set_explore(check_.stats_.ms().explore() + base::ms_since(start_));
    check_.scope_.set_step1(chosen_ == 0             ? v1::STEP_NOT_NEEDED
                            : check_.step1_complete_ ? v1::STEP_COMPLETE
                                                     : v1::STEP_INCOMPLETE);
    return !interrupted;
  }

 private:
  struct Asked {
    uint32_t pair, index;  // in the impact's list; among the chosen
  };
  enum class How : uint8_t { Reused, Explored, Covered };  // Covered: by a search of everything

  void set_deadline() {
    const Settings& settings = check_.settings_;
    const double seconds = check_.base_.version
                               ? settings.step1_seconds
                               : std::min(settings.step1_seconds, settings.first_seconds * kStep1Share);
    work_.image = check_.request_.version->image();
    work_.facts = check_.request_.version->facts();
    work_.deadline = check_.deadline(seconds, kStep1Share);
    seconds_ = std::max(0.0, base::seconds_until(work_.deadline));
  }

  // What the ledger does not know becomes a job.
  void ask_for_pairs() {
    const std::vector<edit::Pair>& pairs = check_.impact_.pairs;
    const auto is_chosen = [](const edit::Pair& pair) { return pair.state == edit::PairState::Chosen; };
    chosen_ = static_cast<uint32_t>(std::count_if(pairs.begin(), pairs.end(), is_chosen));
    check_.scope_facts_.pairs_chosen = chosen_;
    check_.stats_.set_pairs(chosen_);
    check_.scope_.set_pairs_skipped(static_cast<uint32_t>(pairs.size()) - chosen_);
    uint32_t index = 0;
    for (uint32_t i = 0; i < pairs.size(); ++i) {
      if (!is_chosen(pairs[i])) continue;
      const Asked pair{i, index++};
      keys_[i] = check_.pair_key(pairs[i]);
      const auto known = check_.known_result(keys_[i]);
      if (known && reusable(*known) && check_.request_.rerun_pairs.empty()) {
        begun(pair);
        for (const v1::Finding& finding : known->findings()) check_.heard(finding, verdict::Search::Pairwise);
        ended(pair, *known, How::Reused);
      } else {
        asked_.push_back(pair);
        work_.jobs.push_back(check_.pair_job(pairs[i]));
      }
    }
    for (Job& job : work_.jobs)
      if (work_.jobs.size() > 2) job.seconds_max = seconds_ * kPairShare;
  }

  // It may make the pairs' jobs superfluous: those that run at the same time are not waited for then.
  void add_concurrent_search() {
    work_.jobs.push_back(check_.concurrent_job(asked_.size()));
    work_.at_once_most = explorers_at_once(check_.settings_) + (explore::reserves_worker(asked_.size()) ? 0 : 1);
  }

  // So may the first job, and the last.
  void add_probes() {
    probes_ = 1;
    Job search = check_.whole_job(false);
    const auto delayed = explore::delayed_search(search.task, asked_.size());
    search.task = explore::bounded_probe(search.task, asked_.size());
    work_.jobs.insert(work_.jobs.begin(), search);
    if (!delayed) return;
    search.task = delayed->task;
    work_.jobs.push_back(std::move(search));
    work_.last_begins_after = probes_ + delayed->after;
  }

  bool is_pair(uint32_t job) const { return job >= probes_ && job - probes_ < asked_.size(); }

  ExplorerListener listener() {
    ExplorerListener listener;
    listener.started = [this](uint32_t job) {
      if (is_pair(job)) begun(asked_[begun_++]);
    };
    listener.finding = [this](uint32_t job, const v1::Finding& finding) {
      if (is_pair(job)) check_.heard(finding, verdict::Search::Pairwise);
    };
    listener.finished = [this](uint32_t job, const v1::JobResult& result) {
      if (is_pair(job))
        ended(asked_[ended_++], result, How::Explored);
      else
        check_.step2_known_ = job < probes_ ? probe_ended(result) : search_ended(result);
    };
    listener.enough = [this] { return check_.step2_known_ || ended_ == asked_.size() || pairs_had_their_time(); };
    listener.progress = [this](uint32_t done, const v1::Statistics& stats) { progress(done, stats); };
    return listener;
  }

  void progress(uint32_t done, const v1::Statistics& stats) {
    const auto asked = static_cast<uint32_t>(asked_.size());
    v1::Event event;
    v1::Progress& progress = *event.mutable_progress();
    progress.set_phase(verdict::name_of(verdict::Phase::Step1));
    progress.set_done(chosen_ - asked + std::min(asked, done > probes_ ? done - probes_ : 0));
    progress.set_of(chosen_);
    *progress.mutable_stats() = stats;
    progress.set_seconds(base::ms_since(check_.request_.started) / 1000);
    check_.emit_(event);
  }

  // A small one that found nothing is remembered; step 2 finds it there.
  bool probe_ended(const v1::JobResult& probe) {
    if (probe.completeness() != v1::JOB_COMPLETE || probe.findings_size() > 0 || probe.racy_size() > 0) return false;
    add(check_.stats_, probe.stats());
    rest_ = How::Explored;
    remember(probe);
    return true;
  }

  // A larger search reports what it found, and where it is complete, step 2 has nothing to add. The findings of a small
  // one, or of one next to few pairs, are left to the pairs for a while: they name the two threads. One that was cut is
  // step 2's result if step 2 is the same search.
  bool search_ended(const v1::JobResult& search) {
    const bool complete = search.completeness() == v1::JOB_COMPLETE, delayed = probes_ > 0;
    const bool nothing = search.findings_size() == 0 && search.racy_size() == 0;
    const bool small = search.stats().states() <= check_.concurrent_job(asked_.size()).task.budget.states_small;
    const bool left_to_pairs = !nothing && (small || !explore::reserves_worker(asked_.size()));
    if (!delayed && (!complete || left_to_pairs)) {
      if (search.completeness() != v1::JOB_CRASHED) check_.concurrent_result_ = search;
      search_ended_ms_ = base::ms_since(start_);
      if (!left_to_pairs) report_findings(search);
      return false;
    }
    add(check_.stats_, search.stats());
    report_findings(search);
    if (!complete) return false;
    remember(search);
    return true;
  }

  void report_findings(const v1::JobResult& search) {
    const bool whole_program = check_.whole_job(false).task.mode != explore::Mode::Affected;
    for (const v1::Finding& finding : search.findings())
      check_.heard(finding, whole_program ? verdict::Search::Full : verdict::Search::Affected);
    for (const uint64_t at : search.racy()) check_.racy_.insert(at);
  }

  // Is the concurrent search complete, with findings, and did the pairs have as long again to find them, too?
  bool pairs_had_their_time() const {
    const auto& search = check_.concurrent_result_;
    if (!search || search->completeness() != v1::JOB_COMPLETE || ended_ == asked_.size()) return false;
    return base::ms_since(start_) > std::max(2 * search_ended_ms_, search_ended_ms_ + kPairsAfterSearchMs);
  }

  void take_concurrent_result() {
    const v1::JobResult search = *std::exchange(check_.concurrent_result_, std::nullopt);
    add(check_.stats_, search.stats());
    report_findings(search);
    remember(search);
    check_.step2_known_ = true;
  }

  void remember(const v1::JobResult& search) {
    check_.remember_result(check_.whole_key(check_.whole_job(false)), search);
  }

  // Pairs that a search of everything made superfluous.
  void cover_the_rest() {
    v1::JobResult nothing;
    nothing.set_first_finding_ms(-1);
    nothing.set_fragment_reached(true);  // if a thread can come to it, the search did
    for (; ended_ < asked_.size(); ++ended_) {
      if (ended_ >= begun_) begun(asked_[ended_]);
      ended(asked_[ended_], nothing, rest_);
    }
    if (!check_.step1_complete_) check_.pairs_are_covered();
    check_.limits_.clear();  // the search met none
  }

  void begun(Asked pair) {
    v1::Event event;
    report(pair, verdict::PairState::Running, *event.mutable_pair_started());
    check_.emit_(event);
  }

  void ended(Asked pair, const v1::JobResult& result, How how) {
    for (const uint64_t at : result.racy()) check_.racy_.insert(at);
    const bool whole = reusable(result), reused = how == How::Reused;
    const bool came = !whole || result.fragment_reached();
    v1::Scope& scope = check_.scope_;
    if (!came) scope.set_pairs_not_reached(scope.pairs_not_reached() + 1);
    if (reused) {
      if (came) scope.set_pairs_reused(scope.pairs_reused() + 1);
      check_.note_assumptions(result);
      check_.note_limits(result);
    } else {
      check_.count(name(pair), result, seconds_);
      if (!whole)
        scope.set_pairs_owed(scope.pairs_owed() + 1);
      else if (came)
        scope.set_pairs_explored(scope.pairs_explored() + 1);
    }
    check_.step1_complete_ = check_.step1_complete_ && whole;
    using verdict::PairState;
    const bool shows = how == How::Covered ? error_has_both(pair) : !result.findings().empty();
    const PairState state = shows    ? PairState::Findings
                            : !whole ? PairState::Inconclusive
                            : !came  ? PairState::NotReached
                            : reused ? PairState::Reused
                                     : PairState::Clear;
    if (!came) add_reason(pair);
    v1::Event event;
    report(pair, state, *event.mutable_pair_finished());
    *event.mutable_pair_finished()->mutable_stats() = result.stats();
    check_.emit_(event);
    if (how == How::Explored && whole) check_.remember_result(keys_[pair.pair], result);
  }

  // Of a pair that a search of everything made superfluous: that search found an error, and both threads come to it.
  bool error_has_both(Asked pair) const {
    const edit::Pair& threads = check_.impact_.pairs[pair.pair];
    const auto& roles = work_.facts->roles;
    std::multiset<std::string> wanted = {roles[threads.modified.role.value].name, roles[threads.other.role.value].name};
    return std::any_of(check_.present_.begin(), check_.present_.end(), [&](const v1::Finding& finding) {
      if (finding.state() == v1::FINDING_NOT_CONFIRMED) return false;
      std::set<std::string> labels;
      for (const v1::Place& place : finding.places()) labels.insert(place.thread());
      for (const v1::TraceStep& step : finding.trace()) labels.insert(step.thread());
      std::multiset<std::string> left = wanted;
      for (const std::string& label : labels)
        if (const auto one = left.find(role_in(label)); one != left.end()) left.erase(one);
      return left.empty();
    });
  }

  // "work" of "worker 1 (work)"; "worker" of "worker 1", whose role is not said twice.
  static std::string role_in(const std::string& label) {
    const size_t open = label.find(" (");
    if (open != label.npos && label.ends_with(')')) return label.substr(open + 2, label.size() - open - 3);
    return label.substr(0, label.find_last_not_of(" 0123456789.") + 1);
  }

  // For `why` and the tree of pairs.
  void add_reason(Asked pair) {
    v1::Pair& reported = *check_.diffed_.mutable_pairs(static_cast<int>(pair.pair));
    reported.set_reason(reported.reason() + (reported.reason().empty() ? "" : "; ") + reported.modified() +
                        " never came to the change");
  }

  std::string name(Asked pair) const {
    const edit::Pair& threads = check_.impact_.pairs[pair.pair];
    return "pair " + thread_text(*work_.facts, threads.modified) + " / " + thread_text(*work_.facts, threads.other);
  }

  template <typename Event>
  void report(Asked pair, verdict::PairState state, Event& event) {
    v1::Pair& reported = *check_.diffed_.mutable_pairs(static_cast<int>(pair.pair));
    reported.set_state(verdict::name_of(state));
    *event.mutable_pair() = reported;
    event.set_index(pair.index);
    event.set_of(chosen_);
    event.set_step(verdict::name_of(verdict::Search::Pairwise));
  }

  static constexpr double kPairsAfterSearchMs = 500;

  TargetCheck& check_;
  const base::SteadyTime start_ = base::now();
  Work work_;
  double seconds_ = 0;              // of the step
  uint32_t chosen_ = 0;             // pairs
  std::vector<Asked> asked_;        // those that are jobs, in their order
  std::vector<std::string> keys_;   // of pairs, for the ledger
  double search_ended_ms_ = 0;      // when the concurrent search ended
  uint32_t probes_ = 0;             // jobs before those of the pairs
  uint32_t begun_ = 0, ended_ = 0;  // pairs, of those asked for
  How rest_ = How::Covered;         // the pairs that were not waited for
};

bool TargetCheck::run_step1() { return Step1(*this).run(); }

}  // namespace heddle::engine
