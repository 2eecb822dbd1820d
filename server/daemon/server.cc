#include "server/daemon/server.h"

#include <fcntl.h>
#include <grpcpp/grpcpp.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <memory>
#include <thread>

#include "server/base/loop.h"
#include "server/daemon/hub.h"
#include "server/daemon/service.h"

namespace heddle::daemon {
namespace {

void report_ready(int fd, const std::string& line) {
  if (fd < 0) return;
  const std::string text = line + '\n';
  [[maybe_unused]] const ssize_t n = write(fd, text.data(), text.size());
  close(fd);
}

// Lives as long as the process.
struct Lock {
  int fd = -1;
  std::string problem;  // why there is none; empty: another daemon has it
};

Lock take_lock(const std::string& path) {
  const auto failed = [&] { return Lock{-1, "cannot lock " + path + ": " + std::strerror(errno)}; };
  for (;;) {
    const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (fd < 0) return failed();
    if (flock(fd, LOCK_EX | LOCK_NB) != 0) {
      const Lock none = errno == EWOULDBLOCK ? Lock{} : failed();
      close(fd);
      return none;
    }
    struct stat mine, there;
    if (fstat(fd, &mine) == 0 && stat(path.c_str(), &there) == 0 && mine.st_ino == there.st_ino) {
      const std::string pid = std::to_string(getpid()) + "\n";
      // A full disk may leave the file empty: the lock counts, the number is for people.
      if (ftruncate(fd, 0) == 0) [[maybe_unused]]
        const ssize_t n = write(fd, pid.data(), pid.size());
      return {fd, ""};
    }
    close(fd);  // it was replaced between open and lock
  }
}

int open_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, number);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signal(SIGPIPE, SIG_IGN);
  return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

std::unique_ptr<grpc::Server> listen(Service& service, const std::string& socket) {
  unlink(socket.c_str());  // left by a daemon that was killed: we hold its lock
  grpc::ServerBuilder builder;
  builder.AddListeningPort("unix:" + socket, grpc::InsecureServerCredentials());
  builder.RegisterService(&service);
  builder.SetMaxReceiveMessageSize(-1);
  return builder.BuildAndStart();
}

}  // namespace

int run_daemon(const RuntimePaths& paths, const Settings& settings, int ready_fd, LogTarget log_target) {
  umask(077);
  const Lock lock = take_lock(paths.lock);
  if (lock.fd < 0 && lock.problem.empty()) {
    report_ready(ready_fd, "busy");
    return kExitBusy;
  }
  open_log(log_target, paths.log);
  if (lock.fd < 0) {
    log_warning(lock.problem);
    report_ready(ready_fd, lock.problem);
    return kExitFailed;
  }
  const int signal_fd = open_signals();

  base::Loop loop;
  std::unique_ptr<grpc::Server> server;
  std::thread closer;
  std::unique_ptr<Hub> hub;
  // Streams end first; then the server waits for its calls while the loop still answers them; then the loop ends.
  hub = std::make_unique<Hub>(loop, settings, [&] {
    log_info("shutting down");
    unlink(paths.socket.c_str());
    hub->close("the daemon was shut down");
    closer = std::thread([&] {
      // Calls have ended by now; a connection whose client does not poll would hold it up until the limit.
      server->Shutdown(std::chrono::system_clock::now() + std::chrono::milliseconds(150));
      loop.stop();
    });
  });
  Service service(loop, *hub, paths.socket, build_number());
  server = listen(service, paths.socket);
  if (!server) {
    const std::string message = "cannot listen on " + paths.socket + ": " + std::strerror(errno);
    log_warning(message);
    report_ready(ready_fd, message);
    return kExitFailed;
  }
  loop.watch(signal_fd, EPOLLIN, [&](uint32_t) {
    signalfd_siginfo info;
    while (read(signal_fd, &info, sizeof info) == sizeof info) {}
    hub->shut_down();
  });
  log_info(std::string("heddled ") + kVersion + ", process " + std::to_string(getpid()) + ", listens on " +
           paths.socket);
  report_ready(ready_fd, "ready");
  loop.run();
  if (closer.joinable()) closer.join();
  server->Wait();
  server.reset();
  hub.reset();
  loop.unwatch(signal_fd);
  close(signal_fd);
  close(lock.fd);
  return 0;
}

}  // namespace heddle::daemon
