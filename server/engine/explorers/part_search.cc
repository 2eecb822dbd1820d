#include "server/engine/explorers/part_search.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "server/engine/wire/convert.h"

namespace heddle::engine {

namespace {

constexpr size_t kPartsPerExplorer = 4;     // that wait at the beginning of a round
constexpr size_t kPartsInFolderMost = 256;  // that wait for workers
constexpr size_t kPartsPerRoundMost = 64;   // per explorer
constexpr double kRoundLeast = 0.2, kRoundMost = 4;
constexpr double kGrace = 30;  // beyond the end of a round, for one path
constexpr int kFolderPollMs = 30;

// A worker that is alive answers long before. While there is nothing else to do, doing its part again costs nothing.
double patience(double seconds, bool idle) { return idle ? 1.5 * seconds + 0.3 : 4 * seconds + 1; }

bool is_standing(const v1::JobResult& result) {
  return result.completeness() == v1::JOB_CANCELLED && !result.saved().empty();
}

Job job_of(const Job& whole, const v1::SearchPart& part) {
  Job job = whole;
  job.task.part = true;
  job.task.resume = part.resume();
  job.task.ladder_share = 0;
  job.task.follow_races = job.task.follow_races && part.resume().empty();
  job.task.visible.clear();
  for (const uint64_t at : part.visible()) job.task.visible.push_back(machine::CodeAddress::from_bits(at));
  return job;
}

bool has_died(const v1::JobResult& result) {
  return result.completeness() == v1::JOB_CRASHED || result.completeness() == v1::JOB_MEMORY_LIMIT;
}

std::string worker_name() {
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  return std::string(host) + "-" + std::to_string(::getpid());
}

}  // namespace

PartSearch::PartSearch(Explorers& explorers, const Settings& settings, const Work& work,
                       const ExplorerListener& listener, const Interrupt& interrupt)
    : explorers_(explorers),
      settings_(settings),
      work_(work),
      listener_(listener),
      interrupt_(interrupt),
      folder_(settings.parts_folder),
      round_seconds_(std::min(kRoundMost, std::max(kRoundLeast, settings.part_seconds / 4))),
      began_(base::now()),
      saved_(base::now()) {}

Explorers::Outcome PartSearch::run(const v1::JobResult* stand, const std::string& key) {
  key_ = key;
  for (const machine::CodeAddress at : work_.jobs[0].task.visible) racy_.insert(at.bits());
  visible_ = racy_;
  all_.set_first_finding_ms(-1);
  if (stand && parts_.restore(stand->saved())) {
    merge(*stand);
    visible_ = racy_;
  } else if (!run_undivided(stand)) {
    Explorers::Outcome outcome;
    outcome.interrupted = interrupted_;
    outcome.results.push_back(all_);
    return outcome;
  }
  has_folder_ = !settings_.parts_folder.empty() && folder_.clear();
  do {
    while (!parts_.over() && run_round()) {}
    if (interrupted_ || given_up_ || out_of_time_) break;
    if (const auto finding = parts_.exit_code_differs()) {
      v1::JobResult found;
      *found.add_findings() = to_proto(*finding);
      listener_.finding(0, found.findings(0));
      merge(found);
    }
  } while (begin_next_rounds());
  if (has_folder_) folder_.end();
  if (out_of_time_ && !interrupted_) {
    save();
    climb();
  }
  if (!given_up_ && !out_of_time_)
    all_.set_completeness(all_.limits().empty() ? v1::JOB_COMPLETE : v1::JOB_GUEST_LIMIT);
  all_.clear_saved();
  Explorers::Outcome outcome;
  outcome.interrupted = interrupted_;
  outcome.results.push_back(all_);
  return outcome;
}

// Most searches end here, as one.
bool PartSearch::run_undivided(const v1::JobResult* stand) {
  Work first = work_;
  if (stand) first.jobs[0].task.resume = stand->saved();
  first.slice_end = base::after_seconds(base::now(), settings_.part_seconds);
  Explorers::Outcome outcome = explorers_.run(first, listener_, interrupt_);
  interrupted_ = outcome.interrupted;
  v1::JobResult result = std::move(outcome.results[0]);
  const bool on = !interrupted_ && is_standing(result) && parts_.begin(result.saved());
  if (on) {
    merge(result);
    return true;
  }
  all_ = std::move(result);
  all_.clear_saved();
  return false;
}

// The rest of the time is for interleavings with few preemptive switches.
base::SteadyTime PartSearch::parts_end() const {
  if (work_.deadline == base::SteadyTime::max()) return work_.deadline;
  const double all = base::ms_since(began_) / 1000 + base::seconds_until(work_.deadline);
  return base::after_seconds(began_, all * (1 - work_.jobs[0].task.ladder_share));
}

v1::SearchPart PartSearch::file_of(const explore::SearchParts::Part& part) const {
  v1::SearchPart file;
  file.set_key(key_);
  file.set_resume(part.bytes);
  for (const uint64_t at : visible_) file.add_visible(at);
  file.set_seconds(std::min(round_seconds_, settings_.part_seconds));  // short while parts are few
  return file;
}

Work PartSearch::round_of(const std::vector<explore::SearchParts::Part>& parts, base::SteadyTime end) const {
  Work work = work_;
  work.jobs.clear();
  for (const auto& part : parts) work.jobs.push_back(job_of(work_.jobs[0], file_of(part)));
  work.slice_end = end;
  work.deadline = base::after_seconds(end, kGrace);
  return work;
}

// The explorers of this machine stop together, after a time that is short while parts are few.
bool PartSearch::run_round() {
  const base::SteadyTime last = parts_end();
  if ((out_of_time_ = last <= base::now())) return false;
  const size_t explorers = explorers_at_once(settings_);
  collect_from_folder();
  parts_.divide(explorers * kPartsPerExplorer + (has_folder_ ? parts_in_folder_ : 0));
  std::vector<explore::SearchParts::Part> parts;
  const auto take = [&](size_t most) {
    while (parts.size() < most)
      if (auto part = parts_.take())
        parts.push_back(std::move(*part));
      else
        break;
  };
  take(explorers);
  leave_in_folder();
  take(explorers * kPartsPerRoundMost);
  if (parts.empty()) return wait_for_folder();
  const base::SteadyTime end = std::min(last, base::after_seconds(base::now(), round_seconds_));
  Explorers::Outcome outcome = explorers_.run(round_of(parts, end), heard(), interrupt_);
  explorers_.reap();
  if ((interrupted_ = outcome.interrupted)) return false;
  size_t standing = 0;
  bool died = false;
  for (size_t n = 0; n < parts.size(); ++n) {
    standing += is_standing(outcome.results[n]) || outcome.results[n].completeness() == v1::JOB_TIME_LIMIT;
    died = died || has_died(outcome.results[n]);
    hear(parts[n].number, std::move(outcome.results[n]));
  }
  round_seconds_ = standing >= explorers && !died ? std::min(kRoundMost, round_seconds_ * 2)
                                                  : std::max(kRoundLeast, round_seconds_ / 2);
  if (base::ms_since(saved_) > std::min(1000.0, 2000 * settings_.part_seconds) || given_up_) save();
  return !given_up_;
}

// What explorers find is reported once, in whatever part.
ExplorerListener PartSearch::heard() {
  ExplorerListener listener;
  listener.finding = [this](uint32_t, const v1::Finding& finding) {
    if (!ids_.contains(finding.id())) listener_.finding(0, finding);
  };
  listener.enough = listener_.enough;
  listener.progress = [this](uint32_t, const v1::Statistics& round) {
    v1::Statistics stats = all_.stats();
    add(stats, round);
    listener_.progress(0, stats);
  };
  return listener;
}

void PartSearch::hear(Number number, v1::JobResult result) {
  if (result.completeness() == v1::JOB_TIME_LIMIT && result.stats().states() == 0)
    return parts_.lost(number);  // not begun
  if (has_died(result) || result.saved().empty() || !parts_.returned(number, result.saved()))
    return failed(number, result);
  tries_.erase(number);
  for (const v1::Finding& finding : result.findings())
    if (!ids_.contains(finding.id())) listener_.finding(0, finding);
  merge(result);
}

void PartSearch::failed(Number number, const v1::JobResult& result) {
  parts_.lost(number);
  const bool by_itself = result.completeness() == v1::JOB_MEMORY_LIMIT;
  if (++tries_[number] < (by_itself ? kTriesOfMemoryMost : kTriesMost)) return;
  given_up_ = true;
  all_.set_completeness(result.completeness() == v1::JOB_MEMORY_LIMIT ? v1::JOB_MEMORY_LIMIT : v1::JOB_CRASHED);
  all_.set_failure(result.failure().empty() ? "a part of the search could not be continued" : result.failure());
}

void PartSearch::merge(const v1::JobResult& result) {
  add(*all_.mutable_stats(), result.stats());
  for (const v1::JobLimit& limit : result.limits()) {
    const auto same = [&](const v1::JobLimit& other) {
      return other.rule() == limit.rule() && other.message() == limit.message() &&
             other.place().file() == limit.place().file() && other.place().line() == limit.place().line();
    };
    const auto known = std::find_if(all_.mutable_limits()->begin(), all_.mutable_limits()->end(), same);
    if (known == all_.mutable_limits()->end())
      *all_.add_limits() = limit;
    else
      known->set_count(known->count() + limit.count());
  }
  for (const uint64_t at : result.racy())
    if (racy_.insert(at).second) all_.add_racy(at);
  for (const v1::Finding& finding : result.findings())
    if (ids_.insert(finding.id()).second) *all_.add_findings() = finding;
  if (all_.first_finding_ms() < 0) all_.set_first_finding_ms(result.first_finding_ms());
  all_.set_pauses_bounded(all_.pauses_bounded() || result.pauses_bounded());
  all_.set_threads_met(std::max(all_.threads_met(), result.threads_met()));
  all_.set_runs_project_functions(all_.runs_project_functions() || result.runs_project_functions());
  all_.set_finishes(all_.finishes() || result.finishes());
  all_.set_runs_long(all_.runs_long() || result.runs_long());
  all_.set_looks_unordered(all_.looks_unordered() || result.looks_unordered());
  all_.set_sleeps_for_ever(all_.sleeps_for_ever() || result.sleeps_for_ever());
  all_.set_handles_signals(all_.handles_signals() || result.handles_signals());
  all_.set_timers_repeat(all_.timers_repeat() || result.timers_repeat());
  all_.set_signals_wait(all_.signals_wait() || result.signals_wait());
  all_.set_cycles_undecided(all_.cycles_undecided() || result.cycles_undecided());
  all_.set_more_races(all_.more_races() || result.more_races());
  if (result.has_busiest()) *all_.mutable_busiest() = result.busiest();
}

// Everything anew with the statements that were found to race as scheduling points.
bool PartSearch::begin_next_rounds() {
  if (!all_.more_races() || !work_.jobs[0].task.follow_races) return false;
  all_.set_more_races(false);
  visible_ = racy_;
  return parts_.begin("");
}

void PartSearch::save() {
  saved_ = base::now();
  v1::JobResult stand = all_;
  stand.set_completeness(v1::JOB_CANCELLED);
  stand.set_saved(parts_.save());
  listener_.saved(0, stand);
}

// All interleavings with few preemptive switches, in the time that is left for them.
void PartSearch::climb() {
  all_.set_completeness(v1::JOB_TIME_LIMIT);
  if (work_.jobs[0].task.ladder_share <= 0) return;
  Work work = work_;
  work.jobs[0].task.ladder_share = 1;
  Explorers::Outcome outcome = explorers_.run(work, heard(), interrupt_);
  if ((interrupted_ = outcome.interrupted)) return;
  all_.set_completeness(outcome.results[0].completeness());
  all_.set_switches(outcome.results[0].switches());
  merge(outcome.results[0]);
}

// Takes what workers gave back, and gives up parts that are not heard of.
void PartSearch::collect_from_folder() {
  if (!has_folder_) return;
  const PartFolder::Contents contents = folder_.look();
  for (const auto& [number, path] : contents.results) {
    std::optional<v1::JobResult> result = folder_.result(path);
    if (away_.erase(number) > 0 && result) hear(number, std::move(*result));
  }
  for (auto& [number, since] : away_)
    if (!contents.waiting.contains(number)) since = std::min(since, base::now());
  give_up_lost(false);
  left_in_folder_ = 0;
  for (const uint64_t number : contents.waiting) left_in_folder_ += away_.contains(number);
}

// Small parts are soon explored: workers shall find some until the next round.
void PartSearch::leave_in_folder() {
  if (!has_folder_) return;
  parts_in_folder_ = left_in_folder_ == 0 ? std::min(2 * parts_in_folder_, kPartsInFolderMost)
                                          : std::max(left_in_folder_, kPartsInFolderLeast);
  for (; left_in_folder_ < parts_in_folder_; ++left_in_folder_) {
    const auto part = parts_.take();
    if (!part) return;
    if (!folder_.offer(part->number, file_of(*part))) return parts_.lost(part->number);
    away_[part->number] = base::SteadyTime::max();
  }
}

bool PartSearch::give_up_lost(bool idle) {
  const size_t before = away_.size();
  for (auto at = away_.begin(); at != away_.end();) {
    const bool lost = at->second != base::SteadyTime::max() &&
                      base::ms_since(at->second) > 1000 * patience(settings_.part_seconds, idle);
    if (lost) parts_.lost(at->first);
    at = lost ? away_.erase(at) : std::next(at);
  }
  return away_.size() < before;
}

// Nothing is left for this machine but what waits for workers.
bool PartSearch::wait_for_folder() {
  for (auto at = away_.begin(); at != away_.end();) {
    const bool mine = folder_.withdraw(at->first);
    if (mine) parts_.lost(at->first);
    at = mine ? away_.erase(at) : std::next(at);
    if (mine) return true;
  }
  if (give_up_lost(true)) return true;
  pollfd ready{interrupt_.fd, POLLIN, 0};
  if (::poll(&ready, 1, kFolderPollMs) > 0 && interrupt_.requested()) interrupted_ = true;
  return !interrupted_;
}

void serve_parts(Explorers& explorers, const Settings& settings, const Work& work, const Interrupt& interrupt,
                 const std::string& key) {
  PartFolder folder(settings.part_worker);
  const std::string worker = worker_name();
  while (!folder.over()) {
    const std::vector<PartFolder::Taken> taken = folder.take(worker);
    if (taken.empty()) {
      pollfd ready{interrupt.fd, POLLIN, 0};
      if (::poll(&ready, 1, kFolderPollMs) > 0 && interrupt.requested()) return;
      continue;
    }
    Work some = work;
    some.jobs.clear();
    for (const auto& [name, part] : taken) {
      if (part.key() != key) return;  // of other sources, or another build: others explore it
      some.jobs.push_back(job_of(work.jobs[0], part));
    }
    some.slice_end = base::after_seconds(base::now(), taken[0].part.seconds());
    some.deadline = base::after_seconds(some.slice_end, kGrace);
    const Explorers::Outcome outcome = explorers.run(some, {}, interrupt);
    explorers.reap();
    if (outcome.interrupted) return;
    for (size_t n = 0; n < taken.size(); ++n) folder.give(taken[n].name, outcome.results[n], worker);
  }
}

}  // namespace heddle::engine
