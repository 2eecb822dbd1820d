#include "client/link/daemon_link.h"

#include <fcntl.h>
#include <grpcpp/grpcpp.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "heddle/v1/heddle.grpc.pb.h"
#include "server/base/compile_environment.h"
#include "server/base/mutex.h"
#include "server/daemon/paths.h"

namespace heddle::client {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
constexpr uint32_t kProtocol = 1;
constexpr auto kStartLimit = 15s, kStopLimit = 5s, kCallLimit = 10s, kAnswerLimit = 60s;
constexpr auto kLook = 20ms;  // for a cancellation, where nothing wakes the wait

Failure cancelled() { return {"cancelled", ""}; }
Failure from_error(const daemon::Error& error) { return {error.message, error.remedy}; }

// Does a process listen? Much cheaper than to let gRPC find out.
bool socket_answers(const std::string& path) {
  const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return false;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const bool answers = connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  close(fd);
  return answers;
}

std::shared_ptr<grpc::Channel> open_channel(const std::string& socket_path) {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_ENABLE_RETRIES, 0);
  arguments.SetInt(GRPC_ARG_SERVICE_CONFIG_DISABLE_RESOLUTION, 1);
  arguments.SetInt(GRPC_ARG_ENABLE_HTTP_PROXY, 0);
  arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
  arguments.SetMaxReceiveMessageSize(-1);
  return grpc::CreateCustomChannel("unix:" + socket_path, grpc::InsecureChannelCredentials(), arguments);
}

std::unique_ptr<v1::Heddle::Stub> open_service(const std::string& socket_path) {
  return v1::Heddle::NewStub(open_channel(socket_path));
}

std::optional<v1::HandshakeResponse> handshake(v1::Heddle::Stub& service, Cancellation& cancellation) {
  grpc::ClientContext context;
  const Cancellation::Until until(cancellation, [&context] { context.TryCancel(); });
  context.set_deadline(std::chrono::system_clock::now() + kCallLimit);
  v1::HandshakeRequest request;
  request.set_version(HEDDLE_VERSION);
  request.set_protocol(kProtocol);
  v1::HandshakeResponse response;
  if (!service.Handshake(&context, request, &response).ok()) return std::nullopt;
  return response;
}

// Waits for the line that heddled writes when it answers or gives up; empty: it said nothing in time or died.
std::string read_ready_line(int fd, const Cancellation& cancellation) {
  std::string line;
  const auto limit = Clock::now() + kStartLimit;
  while (Clock::now() < limit && !cancellation.happened()) {
    pollfd entry{.fd = fd, .events = POLLIN, .revents = 0};
    if (poll(&entry, 1, static_cast<int>(kLook.count())) <= 0) continue;
    char buffer[512];
    const ssize_t size = read(fd, buffer, sizeof buffer);
    if (size <= 0) break;
    line.append(buffer, static_cast<size_t>(size));
    if (const size_t end = line.find('\n'); end != line.npos) return line.substr(0, end);
  }
  return line;
}

// The daemon must not be our child: it is never waited for.
void spawn_daemon(const std::string& binary, int ready_fd) {
  std::string path = binary, option = "--ready-fd", number = std::to_string(ready_fd);
  char* arguments[] = {path.data(), option.data(), number.data(), nullptr};
  const pid_t child = fork();
  if (child != 0) {
    if (child > 0) waitpid(child, nullptr, 0);
    return;
  }
  if (fork() != 0) _exit(0);
  setsid();
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGINT, SIG_DFL);
  const int null_fd = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd) dup2(null_fd, fd);
  // A pipe inherited from the process that started us would look open for as long as the daemon lives.
#ifdef SYS_close_range
  syscall(SYS_close_range, 3u, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */);
#endif
  fcntl(ready_fd, F_SETFD, 0);
  execv(path.c_str(), arguments);
  const std::string text = std::string("cannot start ") + binary + ": " + std::strerror(errno) + "\n";
  [[maybe_unused]] const ssize_t n = write(ready_fd, text.data(), text.size());
  _exit(127);
}

std::optional<Failure> launch(const daemon::RuntimePaths& paths, const Cancellation& cancellation) {
  const std::string binary = daemon::daemon_binary();
  int ready[2];
  if (pipe2(ready, O_CLOEXEC) != 0) return Failure{std::string("pipe: ") + std::strerror(errno), "see `ulimit -n`"};
  spawn_daemon(binary, ready[1]);
  close(ready[1]);
  const std::string line = read_ready_line(ready[0], cancellation);
  close(ready[0]);
  if (cancellation.happened()) return cancelled();
  if (line == "ready") return std::nullopt;
  if (line == "busy") {
    // Another client started one at the same moment, or one is just leaving.
    const auto limit = Clock::now() + kStartLimit;
    while (Clock::now() < limit) {
      if (cancellation.happened()) return cancelled();
      if (socket_answers(paths.socket)) return std::nullopt;
      std::this_thread::sleep_for(2ms);
      const int fd = open(paths.lock.c_str(), O_RDWR | O_CLOEXEC);
      const bool is_free = fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0;
      if (fd >= 0) close(fd);
      if (is_free) return launch(paths, cancellation);
    }
    return Failure{"a daemon holds " + paths.lock + " but does not answer", "heddle daemon restart"};
  }
  const std::string remedy = access(binary.c_str(), X_OK) != 0 ? "build it (./dev build), or use --no-daemon"
                                                               : "see `heddle daemon logs`, or use --no-daemon";
  return Failure{"the daemon does not start" + (line.empty() ? "" : ": " + line), remedy};
}

pid_t lock_owner(const daemon::RuntimePaths& paths) {
  const int fd = open(paths.lock.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return 0;
  char buffer[32] = {};
  pid_t owner = 0;
  if (flock(fd, LOCK_SH | LOCK_NB) != 0 && read(fd, buffer, sizeof buffer - 1) > 0) owner = std::atoi(buffer);
  close(fd);
  return owner;
}

bool wait_until_gone(const daemon::RuntimePaths& paths, Clock::duration limit, const Cancellation& cancellation) {
  const auto end = Clock::now() + limit;
  while (lock_owner(paths) != 0) {
    if (Clock::now() > end || cancellation.happened()) return false;
    std::this_thread::sleep_for(2ms);
  }
  return true;
}

// Asks, then kills. Only the process that holds our lock is touched.
std::optional<Failure> end_daemon(const daemon::RuntimePaths& paths, Cancellation& cancellation) {
  if (socket_answers(paths.socket)) {
    const auto service = open_service(paths.socket);
    grpc::ClientContext context;
    const Cancellation::Until until(cancellation, [&context] { context.TryCancel(); });
    context.set_deadline(std::chrono::system_clock::now() + 2s);
    v1::ShutdownRequest request;
    v1::ShutdownResponse response;
    service->Shutdown(&context, request, &response);
  }
  if (wait_until_gone(paths, kStopLimit, cancellation)) return std::nullopt;
  if (cancellation.happened()) return cancelled();
  if (const pid_t owner = lock_owner(paths); owner > 0) kill(owner, SIGKILL);
  if (wait_until_gone(paths, kStopLimit, cancellation)) return std::nullopt;
  if (cancellation.happened()) return cancelled();
  return Failure{"the daemon does not end", "kill process " + std::to_string(lock_owner(paths))};
}

bool older_than_us(const v1::HandshakeResponse& answer) {
  if (answer.protocol() != kProtocol) return answer.protocol() < kProtocol;
  return std::strtoull(answer.build().c_str(), nullptr, 10) < daemon::build_number();
}

// The daemon may have been started with another environment than the client's.
v1::CheckRequest with_environment(v1::CheckRequest request) {
  auto& variables = *request.mutable_environment()->mutable_variables();
  for (const auto& [name, value] : base::compile_environment()) variables[name] = value;
  return request;
}

class DaemonBackend final : public Backend {
 public:
  explicit DaemonBackend(std::unique_ptr<v1::Heddle::Stub> service) : service_(std::move(service)) {}

  std::optional<Failure> check(const v1::CheckRequest& request, const EventHandler& handler) override {
    const v1::CheckRequest sent = with_environment(request);
    return stream([&](grpc::ClientContext* context) { return service_->Check(context, sent); }, handler);
  }
  std::optional<Failure> watch(const v1::CheckRequest& request, const EventHandler& handler) override {
    v1::WatchRequest watch;
    *watch.mutable_check() = with_environment(request);
    return stream([&](grpc::ClientContext* context) { return service_->Watch(context, watch); }, handler);
  }
  std::optional<Failure> replay(const v1::ReplayRequest& request, const EventHandler& handler) override {
    v1::ReplayRequest sent = request;
    if (sent.has_project()) *sent.mutable_project() = with_environment(request.project());
    return stream([&](grpc::ClientContext* context) { return service_->Replay(context, sent); }, handler);
  }

  std::variant<v1::ShowResponse, Failure> show(const v1::ShowRequest& request) override {
    v1::ShowResponse response;
    return call([&](auto* context) { return service_->Show(context, request, &response); }, response);
  }
  std::variant<v1::PairsResponse, Failure> pairs(const v1::PairsRequest& request) override {
    v1::PairsResponse response;
    return call([&](auto* context) { return service_->Pairs(context, request, &response); }, response);
  }
  std::variant<v1::ExplainResponse, Failure> explain(const v1::ExplainRequest& request) override {
    v1::ExplainResponse response;
    return call([&](auto* context) { return service_->Explain(context, request, &response); }, response);
  }
  std::variant<v1::StatusResponse, Failure> status(const v1::StatusRequest& request) override {
    v1::StatusResponse response;
    return call([&](auto* context) { return service_->Status(context, request, &response); }, response);
  }

  void interrupt() override {
    const base::MutexLock lock(mutex_);
    interrupted_ = true;
    if (context_) context_->TryCancel();
  }

 private:
  static Failure lost(const grpc::Status& status) {
    return {"the daemon went away or failed: " + status.error_message(), "try again; see `heddle daemon logs`"};
  }

  template <typename Open>
  std::optional<Failure> stream(const Open& open, const EventHandler& handler) {
    grpc::ClientContext context;
    {
      const base::MutexLock lock(mutex_);
      if (interrupted_) return std::nullopt;
      context_ = &context;
    }
    const auto reader = open(&context);
    v1::Event event;
    while (reader->Read(&event)) handler(event);
    const grpc::Status status = reader->Finish();
    const base::MutexLock lock(mutex_);
    context_ = nullptr;
    if (status.ok() || interrupted_) return std::nullopt;
    return lost(status);
  }

  template <typename Call, typename Response>
  std::variant<Response, Failure> call(const Call& call, Response& response) {
    grpc::ClientContext context;
    context.set_deadline(std::chrono::system_clock::now() + kAnswerLimit);
    const grpc::Status status = call(&context);
    if (!status.ok()) return lost(status);
    return std::move(response);
  }

  const std::unique_ptr<v1::Heddle::Stub> service_;
  base::Mutex mutex_;
  grpc::ClientContext* context_ HEDDLE_GUARDED_BY(mutex_) = nullptr;
  bool interrupted_ HEDDLE_GUARDED_BY(mutex_) = false;
};

DaemonFacts facts_of(const v1::HandshakeResponse& answer, const daemon::RuntimePaths& paths) {
  return {answer.version(), answer.build(), paths.socket, answer.pid(), false, older_than_us(answer)};
}

}  // namespace

std::variant<std::unique_ptr<Backend>, Failure> connect_daemon() {
  Cancellation not_cancelled;
  return connect_daemon(not_cancelled);
}

std::variant<std::unique_ptr<Backend>, Failure> connect_daemon(Cancellation& cancellation) {
  const auto found = daemon::runtime_paths();
  if (const auto* error = std::get_if<daemon::Error>(&found)) return from_error(*error);
  const auto& paths = std::get<daemon::RuntimePaths>(found);
  for (int attempt = 0; attempt < 4; ++attempt) {
    if (cancellation.happened()) return cancelled();
    if (!socket_answers(paths.socket)) {
      if (auto failure = launch(paths, cancellation)) return *failure;
    }
    auto service = open_service(paths.socket);
    const auto answer = handshake(*service, cancellation);
    if (!answer) continue;  // it was about to leave
    if (answer->protocol() > kProtocol) {
      return Failure{"the running daemon is newer than this program (" + answer->version() + ")",
                     "update this program, or `heddle daemon stop` with the newer one"};
    }
    if (!older_than_us(*answer)) return std::make_unique<DaemonBackend>(std::move(service));
    service.reset();  // an open connection would delay its end
    if (auto failure = end_daemon(paths, cancellation)) return *failure;
  }
  if (cancellation.happened()) return cancelled();
  return Failure{"the daemon does not answer on " + paths.socket, "heddle daemon restart; see `heddle daemon logs`"};
}

std::variant<std::optional<DaemonFacts>, Failure> running_daemon() {
  const auto found = daemon::runtime_paths();
  if (const auto* error = std::get_if<daemon::Error>(&found)) return from_error(*error);
  const auto& paths = std::get<daemon::RuntimePaths>(found);
  if (!socket_answers(paths.socket)) return std::optional<DaemonFacts>();
  Cancellation not_cancelled;
  const auto answer = handshake(*open_service(paths.socket), not_cancelled);
  if (!answer) return Failure{"the daemon does not answer on " + paths.socket, "heddle daemon restart"};
  return std::optional(facts_of(*answer, paths));
}

std::variant<std::unique_ptr<Backend>, Failure> connect_running_daemon() {
  const auto running = running_daemon();
  if (const auto* failure = std::get_if<Failure>(&running)) return *failure;
  const auto& facts = std::get<std::optional<DaemonFacts>>(running);
  if (!facts) return std::unique_ptr<Backend>();
  return std::make_unique<DaemonBackend>(open_service(facts->socket));
}

std::variant<DaemonFacts, Failure> start_daemon() {
  const auto found = daemon::runtime_paths();
  if (const auto* error = std::get_if<daemon::Error>(&found)) return from_error(*error);
  const auto& paths = std::get<daemon::RuntimePaths>(found);
  const bool ran = socket_answers(paths.socket);
  auto backend = connect_daemon();
  if (const auto* failure = std::get_if<Failure>(&backend)) return *failure;
  Cancellation not_cancelled;
  const auto answer = handshake(*open_service(paths.socket), not_cancelled);
  if (!answer) return Failure{"the daemon does not answer on " + paths.socket, "heddle daemon restart"};
  DaemonFacts facts = facts_of(*answer, paths);
  facts.started_now = !ran;
  return facts;
}

std::variant<bool, Failure> stop_daemon() {
  const auto found = daemon::runtime_paths();
  if (const auto* error = std::get_if<daemon::Error>(&found)) return from_error(*error);
  const auto& paths = std::get<daemon::RuntimePaths>(found);
  if (lock_owner(paths) == 0 && !socket_answers(paths.socket)) return false;
  Cancellation not_cancelled;
  if (auto failure = end_daemon(paths, not_cancelled)) return *failure;
  return true;
}

}  // namespace heddle::client
