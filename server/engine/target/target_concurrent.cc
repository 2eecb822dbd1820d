// The search of everything that runs concurrently with both steps (docs/ALGORITHM.md, "The two steps").
#include <optional>
#include <utility>

#include "server/engine/explorers/look_inside.h"
#include "server/engine/target/target_check.h"

namespace heddle::engine {

Job TargetCheck::concurrent_job(size_t pairs) const {
  Job job;
  job.task.mode = explore::Mode::Full;
  job.task.machine = settings_.machine;
  job.task.reductions = first_reductions(settings_.reductions);
  job.task.each_race = false;  // heard() keeps one
  job.task = explore::concurrent_search(std::move(job.task), pairs);
  return job;
}

bool TargetCheck::searches_concurrently() const {
  if (request_.full || request_.background || request_.coverage || !request_.rerun_pairs.empty()) return false;
  return request_.version->facts()->roles.size() > 1 && explorers_at_once(settings_) >= 2;
}

// A search of everything, which needs nothing of the comparison and starts on an idle core. It runs concurrently with
// the pairs (`pairs` of them; 0: not known yet) and with step 2, until it or they have ended.
void TargetCheck::begin_concurrent_search(size_t pairs) {
  if (concurrent_search_ || concurrent_result_ || !searches_concurrently()) return;
  Work work = whole_work();
  work.jobs.push_back(concurrent_job(pairs));
  work.jobs.back().task.ladder_share = kLadderShare;
  concurrent_search_ = explorers_.begin(work);
}

// Where the concurrent search is the very search that step 2 wants, its result is step 2's. Otherwise both run, and the
// one that ends first answers: the concurrent search covers all that step 2 explores.
Explorers::Outcome TargetCheck::run_with_concurrent_search(Work work, const ExplorerListener& listener) {
  std::unique_ptr<RunningJob> running = std::move(concurrent_search_);
  const std::optional<v1::JobResult> ended = std::exchange(concurrent_result_, std::nullopt);
  const explore::Task& step2 = work.jobs.back().task;
  const bool same_search = step2.relevant.empty();
  const bool replaceable = work.jobs.size() == 1 && !step2.follow_races && step2.resume.empty();
  if (!replaceable) return explorers_.run(work, listener, interrupt_);
  if (ended && (same_search || ended->completeness() == v1::JOB_COMPLETE)) {
    for (const v1::Finding& finding : ended->findings()) listener.finding(0, finding);
    Explorers::Outcome outcome;
    outcome.results.push_back(*ended);
    return outcome;
  }
  if (!running) return explorers_.run(work, listener, interrupt_);
  if (same_search) return explorers_.run(work, listener, interrupt_, std::move(running));
  return run_first_of(std::move(work), listener, std::move(running));
}

// The only job of `work`, and the concurrent search if that is complete before the job has ended.
Explorers::Outcome TargetCheck::run_first_of(Work work, const ExplorerListener& listener,
                                             std::unique_ptr<RunningJob> search) {
  work.jobs.push_back(concurrent_job(0));
  bool ended = false;
  std::optional<v1::JobResult> whole;
  ExplorerListener both = listener;
  both.finding = [&](uint32_t job, const v1::Finding& finding) {
    if (job == 0) listener.finding(0, finding);
  };
  both.saved = [&](uint32_t job, const v1::JobResult& result) {
    if (job == 0) listener.saved(0, result);
  };
  both.finished = [&](uint32_t job, const v1::JobResult& result) {
    if (job == 0)
      ended = true;
    else if (result.completeness() == v1::JOB_COMPLETE)
      whole = result;
  };
  both.enough = [&] { return ended || whole; };
  Explorers::Outcome outcome = explorers_.run(work, both, interrupt_, std::move(search));
  outcome.results.pop_back();
  if (whole && !ended) {
    for (const v1::Finding& finding : whole->findings()) listener.finding(0, finding);
    outcome.results.back() = *std::move(whole);
  }
  return outcome;
}

}  // namespace heddle::engine
