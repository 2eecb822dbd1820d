#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <utility>

#include "server/base/power.h"
#include "server/daemon/log.h"
#include "server/daemon/project.h"
#include "server/disk/utf8_name.h"

namespace heddle::daemon {

using std::chrono::milliseconds;

bool Project::ensure_engine(Error& error) {
  if (engine_) return true;
  std::erase_if(crashes_, [&](auto when) { return base::Loop::Clock::now() - when > settings_.crash_window; });
  if (crashes_.size() >= settings_.crashes_max) {
    error = {"the engine died " + std::to_string(crashes_.size()) + " times within a minute and is given a rest",
             "see `heddle daemon logs`; try again in a minute, or `heddle daemon restart`"};
    return false;
  }
  auto spawned = EngineProcess::spawn(settings_.engine_binary, EngineProcess::Use::Daemon);
  if (const Error* failure = std::get_if<Error>(&spawned)) {
    error = *failure;
    return false;
  }
  engine_ = std::move(std::get<0>(spawned));
  engine_killed_by_us_ = false;
  last_heard_ = base::Loop::Clock::now();
  log_info(root_ + ": engine " + std::to_string(engine_->pid()) + " started");
  loop_.watch(engine_->channel().fd(), EPOLLIN, [this](uint32_t events) { engine_ready(events); });
  loop_.watch(engine_->stderr_fd(), EPOLLIN, [this](uint32_t) { read_engine_errors(); });
  if (engine_->death_fd() >= 0) {
    loop_.watch(engine_->death_fd(), EPOLLIN, [this, pid = engine_->pid()](uint32_t) {
      engine_ready(EPOLLIN);  // its last words; they may set off a new engine
      if (engine_ && engine_->pid() == pid) engine_ended("");
    });
  }
  return true;
}

// With no events: only adjusts what is waited for, after something was sent.
void Project::engine_ready(uint32_t events) {
  FrameChannel& channel = engine_->channel();
  if (events & EPOLLOUT) channel.flush();
  if (events & (EPOLLIN | EPOLLHUP | EPOLLERR)) {
    for (v1::Frame& frame : channel.receive()) {
      on_frame(std::move(frame));
      if (!engine_) return;  // what the frame set off ended the engine
    }
    if (channel.state() == FrameChannel::State::Garbage) return engine_ended("sent what is no frame");
    if (channel.state() == FrameChannel::State::Closed) return engine_ended("");
  }
  loop_.change(channel.fd(), EPOLLIN | (channel.wants_write() ? uint32_t{EPOLLOUT} : 0u));
}

void Project::read_engine_errors() {
  char buffer[4096];
  for (;;) {
    const ssize_t size = read(engine_->stderr_fd(), buffer, sizeof buffer);
    if (size == 0) loop_.unwatch(engine_->stderr_fd());
    if (size <= 0) break;
    error_lines_.append(buffer, static_cast<size_t>(size));
  }
  size_t begin = 0;
  for (size_t end; (end = error_lines_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    log_info("engine " + std::to_string(engine_->pid()) + ": " + error_lines_.substr(begin, end - begin));
  }
  error_lines_.erase(0, begin);
  if (error_lines_.size() > sizeof buffer) error_lines_.clear();
}

void Project::on_frame(v1::Frame frame) {
  last_heard_ = base::Loop::Clock::now();
  if (const auto question = questions_.find(frame.request()); question != questions_.end()) {
    const Question asked = std::move(question->second);
    questions_.erase(question);
    loop_.cancel(asked.timer);
    asked.answer(&frame);
    return;
  }
  if (!active_ || frame.request() != active_->generation) return;  // a late answer to a request that was given up
  switch (frame.body_case()) {
    case v1::Frame::kEvent: return on_event(std::move(*frame.mutable_event()));
    case v1::Frame::kDone: return on_done(frame);
    case v1::Frame::kFiles:
      files_.clear();
      for (const std::string& name : frame.files().files()) files_.push_back(disk::file_of_name(name));
      absent_.assign(frame.files().absent().begin(), frame.files().absent().end());
      if (source_watch_) source_watch_->set_files(watched_files());
      return;
    default: return;
  }
}

void Project::on_event(v1::Event event) {
  if (active_->phase != Phase::Running) return;
  if (event.has_progress()) {
    active_->progress_phase = event.progress().phase();
    active_->unit = event.progress().unit();
  }
  const bool answered = event.has_verdict() && event.verdict().step() == "step1";
  deliver(*active_, std::move(event));
  if (!answered || active_->answered || answer_timer_ != 0) return;
  // The rest is mostly over in a moment.
  answer_timer_ = loop_.after(settings_.turn, [this] {
    answer_timer_ = 0;
    active_->answered = true;
    give_way();
  });
}

void Project::on_done(const v1::Frame& frame) {
  loop_.cancel(std::exchange(grace_timer_, 0));
  loop_.cancel(std::exchange(silence_timer_, 0));
  loop_.cancel(std::exchange(answer_timer_, 0));
  Job job = std::move(*active_);
  active_.reset();
  if (job.phase == Phase::Running) {
    job.unit.clear();
    const std::string& error = frame.done().error();
    end_with(job, v1::VERDICT_ERROR, v1::ERROR_INTERNAL, error.empty() ? "the engine gave no verdict" : error);
  } else if (job.phase == Phase::GivingWay) {
    resume(std::move(job));
  }
  pump();
}

void Project::engine_ended(const std::string& why) {
  if (!engine_) return;
  read_engine_errors();
  const bool ours = std::exchange(engine_killed_by_us_, false);
  const std::string status = engine_->end();
  const std::string how = why.empty() ? status : why;
  log_warning(root_ + ": engine " + std::to_string(engine_->pid()) + " ended: " + how);
  drop_engine();
  ++restarts_;
  if (!ours) crashes_.push_back(base::Loop::Clock::now());
  loop_.cancel(std::exchange(grace_timer_, 0));
  loop_.cancel(std::exchange(silence_timer_, 0));
  loop_.cancel(std::exchange(answer_timer_, 0));
  for (auto& [request, question] : std::exchange(questions_, {})) {
    loop_.cancel(question.timer);
    question.answer(nullptr);
  }
  if (active_) {
    Job job = std::move(*active_);
    active_.reset();
    if (job.phase == Phase::GivingWay) {
      resume(std::move(job));
    } else if (job.phase == Phase::Running && job.verdict_sent) {
      finish(job);
    } else if (job.phase == Phase::Running && job.attempts < 2) {
      job.phase = Phase::Waiting;
      waiting_.push_front(std::move(job));
    } else if (job.phase == Phase::Running) {
      const std::string place = job.unit.empty() ? "" : " while compiling " + job.unit;
      end_with(job, job.unit.empty() ? v1::VERDICT_ERROR : v1::VERDICT_INCONCLUSIVE, v1::ERROR_INTERNAL,
               "the engine died twice" + place + " (" + how + "); see `heddle daemon logs`");
    }
  }
  if (const milliseconds delay = restart_delay(); delay.count() > 0 && !ours) {
    loop_.cancel(restart_timer_);
    restart_timer_ = loop_.after(delay, [this] {
      restart_timer_ = 0;
      pump();
    });
  }
  pump();
}

// The first restart is immediate; each further one within the window waits four times longer, up to five seconds.
milliseconds Project::restart_delay() {
  std::erase_if(crashes_, [&](auto when) { return base::Loop::Clock::now() - when > settings_.crash_window; });
  if (crashes_.size() < 2) return milliseconds(0);
  milliseconds delay(20);
  for (size_t i = 2; i < crashes_.size() && delay < milliseconds(5000); ++i) delay *= 4;
  return std::min(delay, milliseconds(5000));
}

void Project::drop_engine() {
  if (!engine_) return;
  loop_.unwatch(engine_->channel().fd());
  loop_.unwatch(engine_->stderr_fd());
  if (engine_->death_fd() >= 0) loop_.unwatch(engine_->death_fd());
  engine_.reset();
  error_lines_.clear();
}

// A busy engine that has been silent for half of the limit is asked for its status; any frame counts as life.
// It counts as hung only after a question: this process may have slept itself.
void Project::arm_silence() {
  loop_.cancel(std::exchange(silence_timer_, 0));
  const base::Loop::Clock::time_point asked_at = last_heard_ + settings_.engine_silence / 2;
  const auto left = std::chrono::ceil<milliseconds>(asked_at - base::Loop::Clock::now());
  silence_timer_ = loop_.after(std::max(left, milliseconds(1)), [this] {
    silence_timer_ = 0;
    if (!active_ || !engine_) return;
    if (base::Loop::Clock::now() - last_heard_ < settings_.engine_silence / 2) return arm_silence();
    v1::Frame frame;
    frame.mutable_status()->set_root(root_);
    ask(std::move(frame), settings_.engine_silence, [](const v1::Frame*) {});
    arm_hang(last_heard_);
  });
}

void Project::arm_hang(base::Loop::Clock::time_point heard_before) {
  silence_timer_ = loop_.after(settings_.engine_silence / 2, [this, heard_before] {
    silence_timer_ = 0;
    if (!active_ || !engine_) return;
    if (last_heard_ != heard_before) return arm_silence();
    engine_ended("silent for " + std::to_string(settings_.engine_silence.count() / 1000) + " s");
  });
}

void Project::ask(v1::Frame frame, milliseconds limit, std::function<void(const v1::Frame*)> answer) {
  Error error;
  if (restart_timer_ != 0 || !ensure_engine(error)) return answer(nullptr);
  const uint64_t request = ++generations_;
  frame.set_request(request);
  const base::Loop::TimerId timer = loop_.after(limit, [this, request] {
    const auto found = questions_.find(request);
    if (found == questions_.end()) return;
    const Question question = std::move(found->second);
    questions_.erase(found);
    question.answer(nullptr);
  });
  if (const std::string problem = engine_->channel().send(frame); !problem.empty()) {
    loop_.cancel(timer);
    v1::Frame refused;
    refused.mutable_done()->set_error(problem);
    return answer(&refused);
  }
  questions_.emplace(request, Question{std::move(answer), timer});
  engine_ready(0);
}

void Project::show(const v1::ShowRequest& request, std::function<void(v1::ShowResponse)> answer) {
  v1::Frame frame;
  *frame.mutable_show() = request;
  ask(std::move(frame), settings_.answer_limit, [answer](const v1::Frame* frame) {
    v1::ShowResponse response;
    if (frame && frame->has_shown())
      response = frame->shown();
    else if (frame && frame->has_done())
      response.set_error(frame->done().error());
    else
      response.set_error("the engine gave no answer; see `heddle daemon logs`");
    answer(std::move(response));
  });
}

void Project::pairs(const v1::PairsRequest& request, std::function<void(v1::PairsResponse)> answer) {
  v1::Frame frame;
  *frame.mutable_pairs() = request;
  ask(std::move(frame), settings_.answer_limit, [answer](const v1::Frame* frame) {
    v1::PairsResponse response;
    if (frame && frame->has_paired())
      response = frame->paired();
    else if (frame && frame->has_done())
      response.set_error(frame->done().error());
    else
      response.set_error("the engine gave no answer; see `heddle daemon logs`");
    answer(std::move(response));
  });
}

void Project::explain(const v1::ExplainRequest& request, std::function<void(v1::ExplainResponse)> answer) {
  v1::Frame frame;
  *frame.mutable_explain() = request;
  ask(std::move(frame), settings_.answer_limit, [answer](const v1::Frame* frame) {
    v1::ExplainResponse response;
    if (frame && frame->has_explained())
      response = frame->explained();
    else if (frame && frame->has_done())
      response.set_error(frame->done().error());
    else
      response.set_error("the engine gave no answer; see `heddle daemon logs`");
    answer(std::move(response));
  });
}

// An engine that does not run is not started for this: what the daemon has heard is said.
void Project::status(const v1::CheckRequest& project, std::function<void(v1::ProjectStatus)> answer) {
  if (!engine_) {
    v1::ProjectStatus status;
    status.set_responsive(true);
    status.set_complete(last_complete_);
    status.set_open_findings(last_open_findings_);
    status.set_pairs_owed(last_pairs_owed_);
    describe(status);
    return answer(std::move(status));
  }
  v1::Frame frame;
  frame.mutable_status()->set_root(root_);
  v1::CheckRequest& asked = *frame.mutable_status()->mutable_project();
  asked = project;
  asked.set_root(root_);
  if (asked.files().empty()) asked.mutable_files()->Assign(lone_files_.begin(), lone_files_.end());
  ask(std::move(frame), settings_.status_limit, [this, answer](const v1::Frame* frame) {
    v1::ProjectStatus status;
    if (frame && frame->has_status_is()) status = frame->status_is();
    status.set_responsive(frame != nullptr);
    describe(status);
    answer(std::move(status));
  });
}

void Project::describe(v1::ProjectStatus& status) const {
  status.set_root(root_);
  for (const std::string& file : lone_files_) status.add_files(file);
  status.set_watched(!watchers_.empty());
  status.set_engine_restarts(restarts_);
  if (engine_) {
    status.set_engine_pid(engine_->pid());
    status.set_engine_memory_bytes(engine_->memory_bytes());
  }
  if (active_) {
    status.set_generation(active_->generation);
    status.set_phase(active_->phase == Phase::Cancelled || active_->phase == Phase::GivingWay ? "cancelling"
                     : active_->progress_phase.empty()                                        ? "checking"
                                                       : active_->progress_phase);
  } else if (!status.phase().starts_with("background ")) {  // the engine's own: what the last check left
    status.set_phase(restart_timer_ != 0 ? "waiting to start the engine again" : "idle");
  }
  if (!last_verdict_.empty()) {
    status.set_last_verdict(last_verdict_);
    status.set_last_verdict_unix_ms(last_verdict_unix_ms_);
    status.set_complete(status.complete() && last_complete_ && !active_);
  }
  const bool owes = status.pairs_owed() > 0 || !debts_.empty();
  status.set_saves_power(owes && base::is_on_battery(base::power_supplies()));
  status.clear_latency();
  latency_.print_to(status);
}

}  // namespace heddle::daemon
