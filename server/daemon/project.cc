#include "server/daemon/project.h"

#include <google/protobuf/util/message_differencer.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "server/base/clock.h"
#include "server/base/power.h"
#include "server/daemon/log.h"
#include "server/disk/utf8_name.h"

namespace heddle::daemon {
namespace {

constexpr size_t kHistoryMax = 100'000;

bool is_combined_verdict(const v1::Event& event) {
  return event.has_verdict() && event.target().empty() && event.verdict().step() != "step1";
}

}  // namespace

Project::Project(base::Loop& loop, const Settings& settings, std::string root, std::vector<std::string> files,
                 uint64_t& generations)
    : loop_(loop),
      settings_(settings),
      root_(std::move(root)),
      lone_files_(std::move(files)),
      generations_(generations) {}

Project::~Project() {
  loop_.cancel(restart_timer_);
  loop_.cancel(silence_timer_);
  loop_.cancel(grace_timer_);
  loop_.cancel(power_timer_);
  drop_engine();
}

void Project::check(const v1::CheckRequest& request, const SinkPtr& sink) {
  if (request.background()) {
    owe(request);
    return sink->finish();
  }
  Job job;
  *job.frame.mutable_check() = request;
  job.sinks.push_back(sink);
  submit(std::move(job));
}

void Project::owe(v1::CheckRequest request) {
  request.set_background(false);
  request.clear_client();
  const bool known = std::any_of(debts_.begin(), debts_.end(), [&](const v1::CheckRequest& debt) {
    return google::protobuf::util::MessageDifferencer::Equals(debt, request);
  });
  if (!known) debts_.push_back(std::move(request));
  pump();
}

// No user waits for a debt: it is not checked at the cost of a battery.
bool Project::wait_for_power() {
  if (debts_.empty() || !base::is_on_battery(base::power_supplies())) return false;
  if (power_timer_ == 0)
    power_timer_ = loop_.after(settings_.power_look, [this] {
      power_timer_ = 0;
      pump();
    });
  return true;
}

bool Project::start_debt() {
  if (debts_.empty()) return false;
  Job job;
  job.origin = Origin::Debt;
  *job.frame.mutable_check() = std::move(debts_.front());
  debts_.pop_front();
  job.generation = ++generations_;
  job.frame.set_request(job.generation);
  waiting_.push_back(std::move(job));
  return true;
}

void Project::replay(const v1::ReplayRequest& request, const SinkPtr& sink) {
  Job job;
  *job.frame.mutable_replay() = request;
  job.sinks.push_back(sink);
  submit(std::move(job));
}

void Project::watch(const v1::CheckRequest& request, const SinkPtr& sink) {
  watchers_.push_back({sink, request});
  if (!source_watch_) {
    source_watch_ = std::make_unique<SourceWatch>(loop_, root_, [this] { saved(); });
    std::vector<std::string> files = watched_files();
    for (const std::string& name : request.files()) files.push_back(disk::file_of_name(name));
    files.push_back(root_ + "/compile_commands.json");
    source_watch_->set_files(files);
  }
  submit_watch();
}

void Project::submit_watch() {
  if (watchers_.empty()) return;
  watch_owed_ = false;
  Job job;
  job.origin = Origin::Watch;
  *job.frame.mutable_check() = watchers_.back().request;
  submit(std::move(job));
}

void Project::saved() {
  if (watchers_.empty() || !changed_since(last_start_ns_)) return;
  submit_watch();
}

// Modification times come from a clock with coarse ticks, so "in the tick of the start" counts as after it.
bool Project::changed_since(uint64_t file_clock) const {
  const bool saved = std::any_of(files_.begin(), files_.end(), [&](const std::string& file) {
    const FileStamp stamp = file_stamp(file);
    return stamp == FileStamp{} || stamp.changed_ns >= file_clock;
  });
  return saved || std::any_of(absent_.begin(), absent_.end(),
                              [](const std::string& file) { return file_stamp(file) != FileStamp{}; });
}

std::vector<std::string> Project::watched_files() const {
  std::vector<std::string> all = files_;
  all.insert(all.end(), absent_.begin(), absent_.end());
  return all;
}

void Project::submit(Job job) {
  job.generation = ++generations_;
  job.frame.set_request(job.generation);
  if (job.frame.has_check()) {
    if (join_running(job)) return;
    supersede(job, "a newer check of this project took over");
  }
  const uint64_t generation = job.generation;
  waiting_.push_back(std::move(job));
  give_way();
  pump();
  for (Job& waits : waiting_) {
    if (waits.generation == generation && waits.origin == Origin::Client) report_queued(waits);
  }
}

// A user who types waits for the first answer; then users who have none yet; then those who were answered already and
// wait for the rest; long checks; those that no user asked for.
unsigned Project::rank(const Job& job) {
  if (job.origin == Origin::Debt) return 5;
  if (job.origin == Origin::Watch) return 4;
  if (job.frame.check().full()) return 3;
  if (job.answered) return 2;
  return job.frame.check().urgent() ? 0 : 1;
}

std::deque<Project::Job>::iterator Project::next() {
  return std::min_element(waiting_.begin(), waiting_.end(),
                          [](const Job& a, const Job& b) { return rank(a) < rank(b); });
}

// A client's check is begun again later: its stream stays open, and what it explored is in the ledger.
void Project::give_way() {
  if (!active_ || active_->phase != Phase::Running || !active_->frame.has_check() || active_->verdict_sent) return;
  if (waiting_.empty() || rank(*next()) >= rank(*active_)) return;
  if (active_->origin == Origin::Client) {
    active_->phase = Phase::GivingWay;
    report_queued(*active_);
    return stop_engine_job();
  }
  watch_owed_ = watch_owed_ || active_->origin == Origin::Watch;
  if (active_->origin == Origin::Debt) debts_.push_front(active_->frame.check());
  cancel_active("a check that a user waits for goes first");
}

void Project::resume(Job job) {
  job.phase = Phase::Waiting;
  job.gave_way = true;
  --job.attempts;
  waiting_.push_front(std::move(job));
}

void Project::report_queued(Job& job) {
  v1::Event event;
  event.mutable_progress()->set_phase("queued");
  deliver(job, std::move(event));
}

bool Project::join_running(const Job& job) {
  if (!active_ || active_->phase != Phase::Running || !active_->frame.has_check() || active_->verdict_sent)
    return false;
  if (!google::protobuf::util::MessageDifferencer::Equals(active_->frame.check(), job.frame.check())) return false;
  if (changed_since(active_->started_ns) || files_.empty()) return false;
  for (const SinkPtr& sink : job.sinks) {
    for (const auto& event : active_->history) sink->event(event);
    active_->sinks.push_back(sink);
  }
  return true;
}

void Project::supersede(const Job& newer, const std::string& reason) {
  const auto older = [&](const Job& job) {
    if (job.origin != newer.origin || !job.frame.has_check()) return false;
    return newer.origin == Origin::Watch || job.frame.check().client() == newer.frame.check().client();
  };
  std::erase_if(waiting_, [&](Job& job) {
    if (!older(job)) return false;
    end_with(job, v1::VERDICT_INCONCLUSIVE, v1::ERROR_CANCELLED, reason);
    return true;
  });
  if (active_ && older(*active_)) cancel_active(reason);
}

void Project::pump() {
  if (active_ || restart_timer_ != 0) return;
  if (waiting_.empty()) {
    if (watch_owed_) return submit_watch();
    if (wait_for_power() || !start_debt()) return;
  }
  Error error;
  if (!ensure_engine(error)) {
    Job job = std::move(waiting_.front());
    waiting_.pop_front();
    log_warning(root_ + ": " + error.message);
    end_with(job, v1::VERDICT_ERROR, v1::ERROR_INTERNAL, error.message + "; " + error.remedy);
    return pump();
  }
  const auto chosen = next();
  Job job = std::move(*chosen);
  waiting_.erase(chosen);
  start(std::move(job));
}

void Project::start(Job job) {
  job.phase = Phase::Running;
  job.started_ns = last_start_ns_ = file_clock_ns();
  ++job.attempts;
  log_debug(root_ + ": generation " + std::to_string(job.generation) + " starts");
  active_ = std::move(job);
  last_heard_ = base::Loop::Clock::now();
  if (const std::string problem = engine_->channel().send(active_->frame); !problem.empty()) {
    Job ended = std::move(*active_);
    active_.reset();
    end_with(ended, v1::VERDICT_ERROR, v1::ERROR_INTERNAL, problem);
    return pump();
  }
  engine_ready(0);
  arm_silence();
}

void Project::cancel_active(const std::string& reason) {
  if (!active_ || (active_->phase != Phase::Running && active_->phase != Phase::GivingWay)) return;
  const bool stopping = active_->phase == Phase::GivingWay;
  end_with(*active_, v1::VERDICT_INCONCLUSIVE, v1::ERROR_CANCELLED, reason);
  active_->phase = Phase::Cancelled;
  if (!stopping) stop_engine_job();
}

void Project::stop_engine_job() {
  v1::Frame frame;
  frame.set_request(active_->generation);
  frame.mutable_cancel()->set_root(root_);
  frame.mutable_cancel()->set_generation(active_->generation);
  engine_->channel().send(frame);
  engine_ready(0);
  grace_timer_ = loop_.after(settings_.cancel_grace, [this] {
    grace_timer_ = 0;
    log_warning(root_ + ": the engine did not stop in time and is killed");
    engine_killed_by_us_ = true;
    engine_ended("killed because it did not stop");
  });
}

void Project::leave(const EventSink* sink) {
  const auto same = [&](const SinkPtr& entry) { return entry.get() == sink; };
  std::erase_if(watchers_, [&](const Watcher& watcher) { return same(watcher.sink); });
  if (watchers_.empty()) {
    source_watch_.reset();
    watch_owed_ = false;
  }
  const auto unheard = [&](const Job& job) {
    return job.sinks.empty() && job.origin != Origin::Debt && (job.origin == Origin::Client || watchers_.empty());
  };
  for (Job& job : waiting_) std::erase_if(job.sinks, same);
  std::erase_if(waiting_, unheard);
  if (!active_) return;
  std::erase_if(active_->sinks, same);
  if (unheard(*active_)) cancel_active("the client is gone");
}

bool Project::cancel(uint64_t generation) {
  bool found = false;
  const std::string reason = "cancelled on request";
  for (Job& job : waiting_) {
    if (generation != 0 && job.generation != generation) continue;
    end_with(job, v1::VERDICT_INCONCLUSIVE, v1::ERROR_CANCELLED, reason);
    found = true;
  }
  std::erase_if(waiting_, [&](const Job& job) { return generation == 0 || job.generation == generation; });
  const bool runs = active_ && (active_->phase == Phase::Running || active_->phase == Phase::GivingWay);
  if (runs && (generation == 0 || active_->generation == generation)) {
    cancel_active(reason);
    found = true;
  }
  return found;
}

// A check that is begun again reports what it has reported before; what was new then is known now.
bool Project::is_new_to(Job& job, const v1::Event& event) {
  const std::string name = event.target() + '\0' + event.finding().id() + '\0';
  if (job.gave_way && event.finding().state() == v1::FINDING_STILL_THERE &&
      job.findings_sent.count(name + std::to_string(v1::FINDING_NEW)))
    return false;
  const std::string state = name + std::to_string(event.finding().state());
  job.findings_sent.insert(state);
  const std::string remedy = event.finding().has_remedy() ? "with a remedy" : "";
  return job.findings_sent.insert(state + '\0' + event.finding().group() + '\0' + remedy).second;
}

// Of the files as they are, compared with what is known of them. The others are questions: what if the text were another
// one, which drivers fail, does this schedule still show it.
bool Project::is_of_the_files(const Job& job) {
  const v1::CheckRequest& check = job.frame.check();
  return is_waited_for(job) && check.harness().empty() && !check.has_base_texts() && check.base().empty() &&
         !check.has_rerun();
}

// A check by a user, whose time counts.
bool Project::is_waited_for(const Job& job) {
  return job.frame.has_check() && !job.frame.check().trial() && !job.frame.check().ledger_only();
}

void Project::remember(const v1::Verdict& verdict) {
  if (verdict.error() == v1::ERROR_CANCELLED) return;
  last_verdict_ = v1::VerdictKind_Name(verdict.kind()).substr(8);
  std::transform(last_verdict_.begin(), last_verdict_.end(), last_verdict_.begin(), ::tolower);
  last_verdict_unix_ms_ = base::unix_ms();
  last_complete_ = verdict.kind() == v1::VERDICT_CLEAR || verdict.kind() == v1::VERDICT_FINDINGS;
  if (verdict.error() != v1::ERROR_NONE) return;  // what was open is open
  last_open_findings_ = verdict.open_findings();
  last_pairs_owed_ = verdict.scope().pairs_owed();
}

void Project::deliver(Job& job, v1::Event event) {
  event.set_project(root_);
  event.set_generation(job.generation);
  if (event.has_finding() && !is_new_to(job, event)) return;
  if (event.has_finding()) reported_.insert(event.finding().id());
  if (is_combined_verdict(event)) {
    job.verdict_sent = true;
    if (is_of_the_files(job)) remember(event.verdict());
    if (is_waited_for(job) && event.verdict().error() == v1::ERROR_NONE) latency_.add(event.verdict().stats().ms());
  }
  const auto shared = std::make_shared<const v1::Event>(std::move(event));
  if (job.history.size() < kHistoryMax) job.history.push_back(shared);
  for (const SinkPtr& sink : job.sinks) sink->event(shared);
  if (job.origin == Origin::Debt) return;
  for (const Watcher& watcher : watchers_) watcher.sink->event(shared);
}

void Project::end_with(Job& job, v1::VerdictKind kind, v1::ErrorClass error, const std::string& message) {
  if (!job.verdict_sent) {
    v1::Event event;
    v1::Verdict& verdict = *event.mutable_verdict();
    verdict.set_kind(kind);
    verdict.set_error(error);
    verdict.set_message(message);
    verdict.set_step("final");
    verdict.mutable_stats()->mutable_ms()->set_first_finding(-1);
    if (job.frame.has_check()) event.set_version(job.frame.check().document_version());
    if (!job.unit.empty()) verdict.mutable_scope()->add_limits(job.unit + ": not checked");
    verdict.mutable_scope()->set_summary(message);
    deliver(job, std::move(event));
  }
  finish(job);
}

void Project::finish(Job& job) {
  for (const SinkPtr& sink : std::exchange(job.sinks, {})) sink->finish();
}

bool Project::has_reported(const std::string& id_prefix) const {
  const auto found = reported_.lower_bound(id_prefix);
  return found != reported_.end() && found->starts_with(id_prefix);
}

bool Project::idle() const {
  return !active_ && waiting_.empty() && watchers_.empty() && questions_.empty() && debts_.empty();
}

// What is open in all of the project, the engine knows; a check may have been of a part.
void Project::rest() {
  status({}, [this](const v1::ProjectStatus& status) {
    if (status.responsive()) last_open_findings_ = status.open_findings();
    if (status.responsive()) last_pairs_owed_ = status.pairs_owed();
    if (!idle()) return;  // a question came meanwhile
    log_info(root_ + ": the engine is not needed and stopped");
    drop_engine();
  });
}

void Project::close(const std::string& reason) {
  debts_.clear();
  for (Job& job : std::exchange(waiting_, {})) end_with(job, v1::VERDICT_INCONCLUSIVE, v1::ERROR_CANCELLED, reason);
  if (active_) {
    if (active_->phase != Phase::Cancelled) end_with(*active_, v1::VERDICT_INCONCLUSIVE, v1::ERROR_CANCELLED, reason);
    active_.reset();
    loop_.cancel(std::exchange(answer_timer_, 0));
  }
  for (const Watcher& watcher : std::exchange(watchers_, {})) watcher.sink->finish();
  watch_owed_ = false;
  source_watch_.reset();
  for (auto& [request, question] : std::exchange(questions_, {})) {
    loop_.cancel(question.timer);
    question.answer(nullptr);
  }
  drop_engine();
}

}  // namespace heddle::daemon
