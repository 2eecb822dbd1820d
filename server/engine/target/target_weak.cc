// The step `weak`: what the memory orders of the program allow beyond one order of all operations.
#include <algorithm>
#include <set>

#include "server/engine/target/target_check.h"
#include "server/engine/wire/convert.h"
#include "server/text/numbers.h"

namespace heddle::engine {

namespace {

// Of an edit of a version with too many graphs: as much as one notices.
constexpr double kShareWhereTooMany = 0.15;
// Of the seconds of a check, where no user waits for the next keystroke.
constexpr double kTimesInFull = 10;
constexpr const char* kSequential = "sc";

std::string no_weaker_order(const std::string& model, bool library_has) {
  return model + ": no order is weaker than seq_cst, so that sequential consistency suffices" +
         (library_has ? " (what the C++ library does for itself is taken as right)" : "");
}

}  // namespace

// The command's, or the settings'.
v1::MemoryModel TargetCheck::searched_model() const {
  const bool asked = settings_.memory_model != v1::MEMORY_MODEL_DEFAULT;
  return asked ? static_cast<v1::MemoryModel>(settings_.memory_model) : settings_.weak_model;
}

std::string TargetCheck::weak_model() const { return memory_model_name(settings_.weak_model); }

// Whether sequentially consistent values are all that the model allows, if nothing races.
bool TargetCheck::weak_is_needless() const {
  if (settings_.weak_model == v1::MEMORY_MODEL_SC || scope_facts_.one_thread) return true;
  return !beyond_.any_weaker_order && !(settings_.weak_model == v1::MEMORY_MODEL_RA && beyond_.any_atomic);
}

double TargetCheck::weak_seconds() const {
  if (request_.time_limit_seconds > 0) return request_.time_limit_seconds;
  return settings_.weak_seconds * (request_.full ? kTimesInFull : 1);
}

base::SteadyTime TargetCheck::weak_deadline() const {
  if (request_.time_limit_seconds > 0) return base::after_seconds(search_started_, request_.time_limit_seconds);
  const bool too_many = !request_.full && base_.version && base_.record.weak().seconds() > 0;
  return base::after_seconds(base::now(), weak_seconds() * (too_many ? kShareWhereTooMany : 1));
}

// Errors that every machine shows come first; their interleavings are shorter.
bool TargetCheck::shows_errors_without_weak() const {
  return std::any_of(present_.begin(), present_.end(), [](const v1::Finding& finding) {
    return !verdict::is(finding.step(), verdict::Search::Weak) && finding.state() != v1::FINDING_NOT_CONFIRMED &&
           !finding.has_suppressed() && !finding.older();
  });
}

void TargetCheck::report_values(const std::string& model, const std::string& text) {
  scope_.set_memory_model(model);
  scope_.set_values(text);
}

void TargetCheck::weak_is_cut(const std::string& why) {
  scope_.set_weak(v1::STEP_INCOMPLETE);
  report_values(kSequential,
                std::string(kSequential) + "; what " + weak_model() + " allows in addition is not explored: " + why);
}

// Nothing changed, and there is more time than did not suffice for the version before.
bool TargetCheck::weak_continues() const {
  const double before = base_.record.weak().seconds();
  return scope_facts_.nothing_changed && before > 0 && weak_seconds() > before;
}

// No statement changed that matters to other threads: all is as it was.
void TargetCheck::take_weak_of_base() {
  scope_.set_weak(base_.record.weak().state());
  weak_cut_seconds_ = base_.record.weak().seconds();
  report_values(base_.record.weak().model(), base_.record.weak().text());
  const Anchors anchors(base_.version->program(), request_.version->program());
  for (const v1::Finding& finding : base_.record.findings()) {
    if (!verdict::is(finding.step(), verdict::Search::Weak) || finding.state() == v1::FINDING_NOT_CONFIRMED) continue;
    v1::Finding moved = anchors.moved(finding);
    moved.clear_replaces();
    moved.set_state(v1::FINDING_NEW);
    moved.set_older(!request_.given_base_text.empty());
    heard(std::move(moved), verdict::Search::Weak);
  }
}

// What of the answer needs no search.
bool TargetCheck::weak_known() {
  const std::string model = weak_model();
  if (settings_.memory_model != v1::MEMORY_MODEL_DEFAULT) {
    const std::string asked = memory_model_name(settings_.memory_model);
    report_values(asked, asked + ", by execution graphs alone");
  } else if (settings_.weak_model == v1::MEMORY_MODEL_SC) {
    report_values(kSequential, std::string(kSequential) + ", as memory-model in .heddle.yaml says");
  } else if (scope_facts_.nothing_changed && !base_.record.weak().model().empty() && !weak_continues()) {
    take_weak_of_base();
  } else if (!step2_complete_ && !scope_facts_.nothing_changed) {
    if (weak_is_needless())
      report_values(kSequential, std::string(kSequential) + ", as far as interleavings were explored");
    else
      weak_is_cut("the interleavings are not explored to their end");
  } else if (scope_facts_.one_thread) {
    report_values(model, model + ": one thread reads what it stored last");
  } else if (weak_is_needless()) {
    if (races_.empty())
      report_values(model, no_weaker_order(model, beyond_.library_has_weaker_order));
    else
      report_values(kSequential, std::string(kSequential) + ", as far as the data race leaves values defined");
  } else if (scope_facts_.nothing_changed && !weak_continues()) {
    weak_is_cut("nor was it of the version that this one is compared with");
  } else if (shows_errors_without_weak()) {
    weak_is_cut("the findings come first");
  } else if (settings_.weak_seconds == 0) {
    weak_is_cut("HEDDLE_WEAK_SECONDS gives it no time");
  } else {
    return false;
  }
  return true;
}

std::string TargetCheck::weak_key() const {
  program::Hasher h;
  h.hash(settings_.hash()).text("weak, every value").number(settings_.weak_model);
  add_program(h);
  return h.finish().hex();
}

// As the standard has them, except where the numbers of graphs are those of published suites.
graph::Rules TargetCheck::graph_rules(v1::MemoryModel model) const {
  const bool counts = request_.full && settings_.machine.plain_accesses == machine::PlainAccesses::Visible;
  return {static_cast<graph::MemoryModel>(model - v1::MEMORY_MODEL_SC),
          counts ? graph::SeqCstUpdates::Stronger : graph::SeqCstUpdates::AsInStandard};
}

Work TargetCheck::weak_work(Version& version, base::SteadyTime deadline) const {
  Work work;
  work.image = version.image();
  work.facts = version.facts();
  work.background = request_.background;
  work.deadline = deadline;
  Job job;
  job.task.mode = explore::Mode::Graphs;
  job.task.rules = graph_rules(searched_model());
  job.task.machine = settings_.machine;
  job.task.each_race = false;
  job.task.follow_races = false;
  work.jobs.push_back(std::move(job));
  return work;
}

// Nothing: interrupted.
std::optional<v1::JobResult> TargetCheck::search_weak(Version& version, base::SteadyTime deadline) {
  const base::SteadyTime start = base::now();
  ExplorerListener listener;
  listener.progress = [&](uint32_t done, const v1::Statistics& stats) {
    v1::Event event;
    v1::Progress& progress = *event.mutable_progress();
    progress.set_phase(verdict::name_of(verdict::Phase::Weak));
    progress.set_done(done);
    progress.set_of(1);
    *progress.mutable_stats() = stats;
    progress.set_seconds(base::ms_since(request_.started) / 1000);
    emit_(event);
  };
  const Explorers::Outcome outcome = explorers_.run(weak_work(version, deadline), listener, interrupt_);
  stats_.mutable_ms()->set_explore(stats_.ms().explore() + base::ms_since(start));
  if (outcome.interrupted) return std::nullopt;
  return outcome.results.back();
}

// Of this version, from the ledger where the same program was searched under the same model. Nothing: interrupted.
std::optional<v1::JobResult> TargetCheck::weak_result() {
  const std::string key = weak_key();
  if (const auto known = known_result(key); known && reusable(*known)) return known;
  const std::optional<v1::JobResult> result = search_weak(*request_.version, weak_deadline());
  if (result && reusable(*result)) remember_result(key, *result);
  return result;
}

// Which of the findings the given base has, too: they are no doing of the edit.
std::set<std::string> TargetCheck::weak_of_base(const v1::JobResult& result) {
  std::set<std::string> ids;
  if (request_.given_base_text.empty() || !base_.version || result.findings().empty()) return ids;
  const std::optional<v1::JobResult> before = search_weak(*base_.version, weak_deadline());
  if (!before) return ids;
  for (const v1::Finding& finding : before->findings()) ids.insert(finding.id());
  return ids;
}

// False: interrupted.
bool TargetCheck::run_weak() {
  if (weak_known()) return true;
  v1::Event event;
  *event.mutable_verdict() = verdict(verdict::Step::Step2);
  emit_(event);
  const double seconds = std::max(0.0, base::seconds_until(weak_deadline()));
  std::optional<v1::JobResult> result = weak_result();
  if (!result) return false;
  assume(kAssumedOfGraphs);
  const std::set<std::string> before = weak_of_base(*result);
  for (v1::Finding& finding : *result->mutable_findings()) finding.set_older(before.contains(finding.id()));
  add_remedies(*result->mutable_findings());
  for (const v1::Finding& finding : result->findings()) heard(finding, verdict::Search::Weak);
  stats_.set_graphs(stats_.graphs() + result->stats().graphs());
  stats_.set_blocked(stats_.blocked() + result->stats().blocked());
  note_assumptions(*result);
  note_weak(*result, seconds);
  return true;
}

void TargetCheck::note_weak(const v1::JobResult& result, double seconds) {
  const std::string graphs = counted(result.stats().graphs() + result.stats().blocked(), "execution graph");
  std::vector<std::string> why;
  if (!reusable(result)) {
    std::string text = "stopped at its time limit (" + text::seconds_text(seconds) + ")";
    if (result.completeness() != v1::JOB_TIME_LIMIT) text = result.failure().empty() ? "cancelled" : result.failure();
    const char* const more = request_.full ? "; --time-limit gives it more time" : "; `heddle full` gives it more time";
    why.push_back(text + " after " + graphs + more);
    weak_cut_seconds_ = weak_seconds();
  }
  for (const v1::JobLimit& limit : result.limits()) {
    scope_.add_limits("under " + weak_model() + ": " + limit_text(limit));
    why.push_back(limit_text(limit));
  }
  if (!why.empty()) return weak_is_cut(join(why));
  scope_.set_weak(v1::STEP_COMPLETE);
  report_values(weak_model(), weak_model() + ": " + graphs + " explored, all that there are");
}

// Where step 2 was not waited for, or nothing was left to explore.
void TargetCheck::close_weak() {
  if (scope_.memory_model().empty() && !weak_known()) weak_is_cut("it was not waited for");
  const bool sequential = scope_.memory_model() == kSequential;
  if (sequential && !beyond_.weaker_orders.empty()) assume(beyond_.weaker_orders);
}

// Of a verdict that is not the last one.
void TargetCheck::note_weak_to_come(v1::Scope& scope) const {
  if (!scope.memory_model().empty()) return;
  scope.set_memory_model(kSequential);
  scope.set_values(kSequential);
  if (!weak_is_needless()) scope.set_weak(v1::STEP_RUNNING);
  if (!beyond_.weaker_orders.empty()) scope.add_assumptions(beyond_.weaker_orders);
}

// What was asked for by name and was not looked at.
std::string TargetCheck::weak_owed() const {
  return settings_.weak_asked && scope_.weak() == v1::STEP_INCOMPLETE ? scope_.values() : "";
}

}  // namespace heddle::engine
