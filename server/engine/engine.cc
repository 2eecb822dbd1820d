#include "server/engine/engine.h"

#include "server/engine/harness.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>

#include "server/base/power.h"
#include "server/engine/present_programs.h"
#include "server/engine/wire/convert.h"
#include "server/verdict/background.h"
#include "server/verdict/steps.h"

namespace heddle::engine {

namespace {

constexpr int kExitBadChannel = 3;
constexpr int kIdleMs = 300;     // before something is done that no request asked for
constexpr int kPowerMs = 5'000;  // between two looks at the power supply

bool saves_power() { return base::is_on_battery(base::power_supplies()); }

}  // namespace

Engine::Engine(int channel, Settings settings)
    : settings_(std::move(settings)), reader_(channel), channel_(channel), explorers_(settings_) {}

void Engine::send(v1::Frame frame) {
  if (sink_) sink_(frame);
  if (channel_ < 0 || ended_) return;
  // The daemon ends what was asked, and its client reads why.
  if (const std::string problem = base::too_large(frame.ByteSizeLong()); !problem.empty())
    return send_done(frame.request(), problem);
  if (!base::write_frame(channel_, frame.SerializeAsString())) ended_ = true;
}

void Engine::send_done(uint64_t request, const std::string& error) {
  v1::Frame frame;
  frame.set_request(request);
  frame.mutable_done()->set_error(error);
  send(std::move(frame));
}

bool Engine::take_frames() {
  if (channel_ < 0 || ended_) return stop_ || ended_;
  const base::FrameReader::State state = reader_.fill();
  while (const std::optional<std::string_view> bytes = reader_.next()) {
    v1::Frame frame;
    if (!frame.ParseFromArray(bytes->data(), static_cast<int>(bytes->size()))) {
      std::fprintf(stderr, "heddle-engine: a frame of %zu bytes does not parse; the channel is closed\n",
                   bytes->size());
      ended_ = true;
      exit_code_ = kExitBadChannel;
      return true;
    }
    take(std::move(frame));
  }
  if (reader_.state() == base::FrameReader::State::Broken) {
    std::fprintf(stderr, "heddle-engine: the channel does not carry frames; it is closed\n");
    exit_code_ = kExitBadChannel;
    ended_ = true;
  } else if (state == base::FrameReader::State::Ended) {
    ended_ = true;
  }
  return stop_ || ended_;
}

void Engine::take(v1::Frame frame) {
  v1::Frame answer;
  answer.set_request(frame.request());
  switch (frame.body_case()) {
    case v1::Frame::kCheck:
      stop_ = stop_ || running_ != 0;  // a newer check makes the running one obsolete
      [[fallthrough]];
    case v1::Frame::kReplay: waiting_.push_back(std::move(frame)); return;
    case v1::Frame::kCancel: {
      const uint64_t wanted = frame.cancel().generation();
      if (running_ != 0 && (wanted == 0 || wanted == running_)) stop_ = true;
      for (auto at = waiting_.begin(); at != waiting_.end();) {
        if (wanted != 0 && at->request() != wanted) {
          ++at;
          continue;
        }
        send_done(at->request(), "cancelled");
        at = waiting_.erase(at);
      }
      return;
    }
    case v1::Frame::kShow: *answer.mutable_shown() = show(frame.show()); break;
    case v1::Frame::kPairs: *answer.mutable_paired() = pairs(frame.pairs()); break;
    case v1::Frame::kExplain: *answer.mutable_explained() = explain(frame.explain()); break;
    case v1::Frame::kStatus: *answer.mutable_status_is() = status(frame.status()); break;
    case v1::Frame::kShutdown:
      ended_ = stop_ = true;
      send_done(frame.request());
      return;
    default: send_done(frame.request(), "the engine does not know this request"); return;
  }
  send(std::move(answer));
}

int Engine::serve() {
  while (!ended_) {
    pollfd ready{channel_, POLLIN, 0};
    if (waiting_.empty() && (owed_.empty() || saves_power())) {
      const int count = ::poll(&ready, 1, !prepared_ ? kIdleMs : owed_.empty() ? -1 : kPowerMs);
      if (count < 0 && errno != EINTR) break;
      if (count == 0) prepare();
    }
    take_frames();
    if (waiting_.empty() && !ended_ && !owed_.empty() && !prepared_) prepare();  // alongside what is owed
    if (waiting_.empty() && !ended_) work_in_background();
    while (!ended_ && !waiting_.empty()) {
      const v1::Frame frame = std::move(waiting_.front());
      waiting_.pop_front();
      run(frame);
    }
  }
  return exit_code_;
}

void Engine::run(const v1::Frame& frame) {
  running_ = frame.request();
  // A check after which a newer one waits is obsolete before it began.
  stop_ = std::any_of(waiting_.begin(), waiting_.end(), [](const v1::Frame& f) { return f.has_check(); });
  if (frame.has_check())
    check(frame.request(), frame.check());
  else
    replay(frame.request(), frame.replay());
  running_ = 0;
  stop_ = false;
}

// The client's: the engine may have been started with another.
void Engine::use_environment(const v1::CheckRequest& request) {
  if (!request.has_environment()) return base::use_compile_environment(own_environment_);
  const auto& variables = request.environment().variables();
  base::use_compile_environment({variables.begin(), variables.end()});
}

void Engine::check(uint64_t request, const v1::CheckRequest& wanted) {
  use_environment(wanted);
  Interrupt interrupt;
  interrupt.fd = channel_;
  interrupt.requested = [this] { return take_frames(); };
  const auto emit = [&](const v1::Event& event) {
    if (event.has_progress()) phase_ = event.progress().phase();
    if (event.has_started()) phase_ = verdict::name_of(verdict::Phase::Explore);
    v1::Frame frame;
    frame.set_request(request);
    *frame.mutable_event() = event;
    send(std::move(frame));
  };
  const auto files = [&](const v1::ProjectFiles& list) {
    v1::Frame frame;
    frame.set_request(request);
    *frame.mutable_files() = list;
    send(std::move(frame));
  };
  const CheckServices services{projects_, explorers_, settings_, interrupt, emit, files, request};
  phase_ = verdict::name_of(verdict::Phase::Compile);
  owed_.clear();
  current_ = nullptr;
  projects_.trim();
  const CheckOutcome outcome = wanted.harness_size() > 0 ? run_harness(wanted, services) : run_check(wanted, services);
  if (outcome.project) current_ = outcome.project;
  open_ = {wanted.files().begin(), wanted.files().end()};
  for (const v1::Overlay& overlay : wanted.overlays()) open_.insert(overlay.path());
  owed_.assign(outcome.owed.begin(), outcome.owed.end());
  if (outcome.interrupted) owed_.clear();
  phase_ = verdict::name_of(verdict::Phase::Store);
  // What a trial or a question learned waits in memory for the next check: who watches the ledger would ask again.
  if (!wanted.trial() && !wanted.ledger_only()) store(outcome.project);
  explorers_.reap();
  phase_ = verdict::name_of(verdict::Phase::Idle);
  prepared_ = false;
  send_done(request);
}

void Engine::prepare() {
  prepared_ = true;
  if (!current_) return;
  if (settings_.one_command)
    current_->units().prepare();
  else
    current_->prepare(open_);
}

// Each version once: what did not end in its time would not end in it again. What is clear with few preemptive switches is
// searched again and again, each time with twice the time. Not at the cost of a battery: it waits for mains power, or for
// the next check.
void Engine::work_in_background() {
  if (owed_.empty() || saves_power()) return;
  Interrupt interrupt;
  interrupt.fd = channel_;
  interrupt.requested = [this] { return take_frames() || !waiting_.empty(); };
  const Owed owed = owed_.front();
  const auto explores = [&](const std::string& part) { phase_ = verdict::phase_of({part, owed.target}); };
  explores(verdict::name_of(verdict::Phase::Full));
  const IdleWork done = work_off(owed, explorers_, interrupt, [&](const v1::Event& event) {
    if (event.has_progress()) explores(event.progress().phase());
  });
  explorers_.reap();
  phase_ = verdict::name_of(verdict::Phase::Idle);
  if (!waiting_.empty() || ended_) return;
  owed_.pop_front();
  if (done == IdleWork::Deepens) owed_.push_back(owed);
  store(owed.project);
}

// After the verdict, which waits for no disk; before `done`, which says that the ledger knows.
void Engine::store(Project* project) {
  if (!project) return;
  project->units().flush();
  project->ledger().commit();
}

Engine::Books Engine::books(Project& project) {
  std::map<std::string, std::pair<std::string, v1::Book>> newest;  // by the key without the settings
  project.ledger().for_each(Table::Book, [&](const std::string& key, const std::string& value) {
    v1::Book book;
    if (!book.ParseFromString(value)) return;
    const size_t end = key.rfind('\n');  // the name may have line feeds of its own
    const size_t extension = key.find('.', end);
    const std::string name = key.substr(0, end);
    auto& [target, known] = newest[extension == key.npos ? name : name + key.substr(extension)];
    if (known.last().checked_at_unix_ms() > book.last().checked_at_unix_ms()) return;
    target = book.target().empty() ? name : book.target();
    known = std::move(book);
  });
  Books out;
  for (auto& [name, entry] : newest)
    if (is_there(project, name, entry.second)) out.push_back(std::move(entry));
  return out;
}

v1::Verdict Engine::run_once(const v1::CheckRequest& request, const std::function<void(const v1::Frame&)>& sink) {
  v1::Verdict last;
  sink_ = [&](const v1::Frame& frame) {
    if (frame.has_event() && frame.event().has_verdict()) last = frame.event().verdict();
    sink(frame);
  };
  v1::Frame frame;
  frame.set_request(1);
  *frame.mutable_check() = request;
  run(frame);
  sink_ = nullptr;
  return last;
}

}  // namespace heddle::engine
