// --no-daemon: an engine of our own for one command. Same frames, no socket, nothing that stays.
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <chrono>

#include "client/link/backend.h"
#include "server/daemon/engine_process.h"
#include "server/daemon/paths.h"

namespace heddle::client {
namespace {

using daemon::EngineProcess;
using daemon::FrameChannel;

class EngineBackend final : public Backend {
 public:
  explicit EngineBackend(std::unique_ptr<EngineProcess> engine)
      : engine_(std::move(engine)), wake_fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}
  ~EngineBackend() override { close(wake_fd_); }

  std::optional<Failure> check(const v1::CheckRequest& request, const EventHandler& handler) override {
    v1::Frame frame;
    *frame.mutable_check() = request;
    return exchange(std::move(frame), handler, nullptr);
  }
  std::optional<Failure> watch(const v1::CheckRequest&, const EventHandler&) override {
    return Failure{"watch needs the daemon", "leave out --no-daemon"};
  }
  std::optional<Failure> replay(const v1::ReplayRequest& request, const EventHandler& handler) override {
    v1::Frame frame;
    *frame.mutable_replay() = request;
    return exchange(std::move(frame), handler, nullptr);
  }
  std::variant<v1::ShowResponse, Failure> show(const v1::ShowRequest& request) override {
    v1::Frame frame, answer;
    *frame.mutable_show() = request;
    if (auto failure = exchange(std::move(frame), {}, &answer)) return *failure;
    return answer.shown();
  }
  std::variant<v1::PairsResponse, Failure> pairs(const v1::PairsRequest& request) override {
    v1::Frame frame, answer;
    *frame.mutable_pairs() = request;
    if (auto failure = exchange(std::move(frame), {}, &answer)) return *failure;
    return answer.paired();
  }
  std::variant<v1::ExplainResponse, Failure> explain(const v1::ExplainRequest& request) override {
    v1::Frame frame, answer;
    *frame.mutable_explain() = request;
    if (auto failure = exchange(std::move(frame), {}, &answer)) return *failure;
    return answer.explained();
  }
  std::variant<v1::StatusResponse, Failure> status(const v1::StatusRequest& request) override {
    v1::Frame frame, answer;
    *frame.mutable_status() = request;
    if (auto failure = exchange(std::move(frame), {}, &answer)) return *failure;
    v1::StatusResponse response;
    response.set_version(HEDDLE_VERSION);
    v1::ProjectStatus& project = *response.add_projects();
    project = answer.status_is();
    project.set_root(request.root());
    project.set_responsive(true);
    return response;
  }
  void interrupt() override {
    interrupted_ = true;
    const uint64_t one = 1;
    [[maybe_unused]] const ssize_t n = write(wake_fd_, &one, sizeof one);
  }

 private:
  // Until `done`, or with `answer` until the one response.
  std::optional<Failure> exchange(v1::Frame frame, const EventHandler& handler, v1::Frame* answer) {
    const uint64_t request = ++requests_;
    frame.set_request(request);
    FrameChannel& channel = engine_->channel();
    if (std::string problem = channel.send(frame); !problem.empty()) return Failure{std::move(problem), ""};
    std::string unit;
    while (!interrupted_) {
      pollfd entries[2] = {{channel.fd(), static_cast<short>(POLLIN | (channel.wants_write() ? POLLOUT : 0)), 0},
                           {wake_fd_, POLLIN, 0}};
      if (poll(entries, 2, -1) < 0) continue;
      if (entries[0].revents & POLLOUT) channel.flush();
      for (v1::Frame& received : channel.receive()) {
        if (received.request() != request) continue;
        if (received.has_event()) {
          received.mutable_event()->set_generation(request);
          if (received.event().has_progress()) unit = received.event().progress().unit();
          if (handler) handler(received.event());
        } else if (received.has_done()) {
          if (received.done().error().empty() && !answer) return std::nullopt;
          return Failure{received.done().error().empty() ? "the engine gave no answer" : received.done().error(), ""};
        } else if (answer && !received.has_files()) {
          *answer = std::move(received);
          return std::nullopt;
        }
      }
      if (channel.state() != FrameChannel::State::Open) {
        const std::string how =
            channel.state() == FrameChannel::State::Garbage ? "sent what is no frame" : engine_->end();
        return Failure{"the engine died" + (unit.empty() ? "" : " while compiling " + unit) + ": " + how, ""};
      }
    }
    return std::nullopt;
  }

  const std::unique_ptr<EngineProcess> engine_;
  const int wake_fd_;
  std::atomic<bool> interrupted_ = false;
  uint64_t requests_ = 0;
};

}  // namespace

std::variant<std::unique_ptr<Backend>, Failure> connect_engine() {
  auto engine = EngineProcess::spawn(daemon::engine_binary(), EngineProcess::Use::OneCommand);
  if (const auto* error = std::get_if<daemon::Error>(&engine)) return Failure{error->message, error->remedy};
  return std::make_unique<EngineBackend>(std::move(std::get<0>(engine)));
}

}  // namespace heddle::client
