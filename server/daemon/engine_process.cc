#include "server/daemon/engine_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

namespace heddle::daemon {
namespace {

// Runs in the child between fork and exec: system calls only.
[[noreturn]] void become_engine(const char* binary, char* const* arguments, int channel_fd, int stderr_fd,
                                int failure_fd, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  setpgid(0, 0);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (int signal_number : {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGCHLD}) signal(signal_number, SIG_DFL);
  if (stderr_fd >= 0) {
    const int null_fd = open("/dev/null", O_RDWR);
    dup2(null_fd, 0);
    dup2(null_fd, 1);
    dup2(stderr_fd, 2);
  }
#ifdef SYS_close_range
  syscall(SYS_close_range, 3u, ~0u, 4u /* CLOSE_RANGE_CLOEXEC */);
#endif
  fcntl(channel_fd, F_SETFD, 0);
  execv(binary, arguments);
  const int error = errno;
  [[maybe_unused]] const ssize_t n = write(failure_fd, &error, sizeof error);
  _exit(127);
}

// The channel's end alone is not enough: a forked explorer may hold its other side for a moment longer.
int open_death_fd(pid_t pid) {
#ifdef SYS_pidfd_open
  return static_cast<int>(syscall(SYS_pidfd_open, pid, 0u));
#else
  return -1;
#endif
}

// Two ends of a channel; what is not released is closed.
struct Ends {
  int fd[2] = {-1, -1};
  ~Ends() {
    for (int n : {0, 1}) close_end(n);
  }
  void close_end(int n) {
    if (fd[n] >= 0) close(std::exchange(fd[n], -1));
  }
  int release(int n) { return std::exchange(fd[n], -1); }
};

}  // namespace

std::variant<std::unique_ptr<EngineProcess>, Error> EngineProcess::spawn(const std::string& binary, Use use) {
  Ends channel, failure, errors;
  const auto system_error = [](const char* what) {
    return Error{std::string("cannot start the engine: ") + what + ": " + std::strerror(errno),
                 "see `ulimit -n` and `ulimit -u`"};
  };
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel.fd) != 0) return system_error("socketpair");
  if (pipe2(failure.fd, O_CLOEXEC) != 0) return system_error("pipe");
  if (use == Use::Daemon && pipe2(errors.fd, O_CLOEXEC | O_NONBLOCK) != 0) return system_error("pipe");
  if (errors.fd[1] >= 0) fcntl(errors.fd[1], F_SETFL, fcntl(errors.fd[1], F_GETFL) & ~O_NONBLOCK);

  std::string path = binary, option = "--channel-fd", number = std::to_string(channel.fd[1]), once = "--one-command";
  char* arguments[] = {path.data(), option.data(), number.data(), use == Use::OneCommand ? once.data() : nullptr,
                       nullptr};
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child == 0) become_engine(path.c_str(), arguments, channel.fd[1], errors.fd[1], failure.fd[1], parent);
  const int fork_error = errno;
  for (Ends* ends : {&channel, &failure, &errors}) ends->close_end(1);
  int exec_error = 0;
  if (child > 0) {
    setpgid(child, child);
    ssize_t n;
    do n = read(failure.fd[0], &exec_error, sizeof exec_error);
    while (n < 0 && errno == EINTR);
    if (n != sizeof exec_error) exec_error = 0;
  }
  if (child > 0 && exec_error == 0) {
    return std::unique_ptr<EngineProcess>(
        new EngineProcess(child, channel.release(0), errors.release(0), open_death_fd(child)));
  }
  if (child > 0) waitpid(child, nullptr, 0);
  const int error = child > 0 ? exec_error : fork_error;
  return Error{"cannot start the engine " + binary + ": " + std::strerror(error),
               error == ENOENT ? "build it (./dev build), or set HEDDLE_ENGINE to its path"
                               : "see `ulimit -u` and the free memory"};
}

EngineProcess::~EngineProcess() {
  end();
  if (stderr_fd_ >= 0) close(stderr_fd_);
  if (death_fd_ >= 0) close(death_fd_);
}

uint64_t EngineProcess::memory_bytes() const {
  if (collected_) return 0;
  const std::string path = "/proc/" + std::to_string(pid_) + "/statm";
  std::FILE* file = std::fopen(path.c_str(), "re");
  if (!file) return 0;
  unsigned long long total = 0, resident = 0;
  const int fields = std::fscanf(file, "%llu %llu", &total, &resident);
  std::fclose(file);
  return fields == 2 ? resident * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) : 0;
}

std::string EngineProcess::end() {
  if (collected_) return "";
  collected_ = true;
  int status = 0;
  // It may have ended by itself: only then its own status says why.
  const pid_t ended = waitpid(pid_, &status, WNOHANG);
  kill(-pid_, SIGKILL);
  if (ended != pid_) {
    kill(pid_, SIGKILL);
    while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
    if (ended == 0) return "killed";
  }
  if (WIFSIGNALED(status)) {
    return "signal " + std::to_string(WTERMSIG(status)) + " (" + strsignal(WTERMSIG(status)) + ")";
  }
  return "exit code " + std::to_string(WEXITSTATUS(status));
}

}  // namespace heddle::daemon
