#include "tests/judge/pool.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <ctime>
#include <stdexcept>
#include <vector>

namespace heddle::judge {
namespace {

// Of processor time: how busy the machine is must not matter. 0: the process is gone.
int64_t seconds_used(pid_t pid) {
  clockid_t clock{};
  timespec used{};
  return clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &used) == 0 ? used.tv_sec : 0;
}

// Cases are taken from a counter that all workers share; one that dies takes one case with it.
struct Slot {
  std::atomic<uint64_t> index;
  std::atomic<int64_t> since;
};
struct Shared {
  std::atomic<uint64_t> next;
  Slot slots[64];
};

struct Worker {
  pid_t pid = -1;
  int fd = -1;
  std::string buffer;
};

class Run {
 public:
  explicit Run(const Pool& pool) : pool_(pool) {
    void* memory = mmap(nullptr, sizeof(Shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::runtime_error("no shared memory");
    shared_ = new (memory) Shared{};
    workers_.resize(std::min<uint64_t>({pool.jobs, pool.count, 64}));
  }
  ~Run() { munmap(shared_, sizeof(Shared)); }

  void run() {
    for (size_t n = 0; n < workers_.size(); ++n) start(n);
    while (true) {
      std::vector<pollfd> fds;
      for (const Worker& w : workers_)
        if (w.fd >= 0) fds.push_back({w.fd, POLLIN, 0});
      if (fds.empty()) return;
      poll(fds.data(), fds.size(), 200);
      for (size_t n = 0; n < workers_.size(); ++n) serve(n);
      pool_.tick();
      if (pool_.enough()) shared_->next = pool_.count;
    }
  }

 private:
  void start(size_t n) {
    int fds[2];
    if (pipe(fds) != 0) throw std::runtime_error("no pipe");
    shared_->slots[n].since = -1;
    const pid_t pid = fork();
    if (pid < 0) throw std::runtime_error("no process");
    if (pid == 0) {
      close(fds[0]);
      work(n, fds[1]);
    }
    close(fds[1]);
    workers_[n] = {pid, fds[0], {}};
  }

  [[noreturn]] void work(size_t n, int fd) {
    while (true) {
      const uint64_t index = shared_->next.fetch_add(1);
      if (index >= pool_.count) _exit(0);
      shared_->slots[n].index = index;
      shared_->slots[n].since = seconds_used(getpid());
      const std::string line = pool_.work(index) + "\n";
      for (size_t at = 0; at < line.size();) {
        const ssize_t written = write(fd, line.data() + at, line.size() - at);
        if (written <= 0) _exit(1);
        at += static_cast<size_t>(written);
      }
    }
  }

  void serve(size_t n) {
    Worker& w = workers_[n];
    if (w.fd < 0) return;
    Slot& slot = shared_->slots[n];
    if (slot.since >= 0 && seconds_used(w.pid) - slot.since > pool_.seconds_max) kill(w.pid, SIGKILL);
    pollfd p{w.fd, POLLIN, 0};
    if (poll(&p, 1, 0) <= 0) return;
    char chunk[65536];
    const ssize_t got = read(w.fd, chunk, sizeof chunk);
    if (got > 0) return take(w, {chunk, static_cast<size_t>(got)});
    close(w.fd);
    w.fd = -1;
    int status = 0;
    waitpid(w.pid, &status, 0);
    if (status == 0) return;
    pool_.lost(slot.index, WIFSIGNALED(status) ? "killed by signal " + std::to_string(WTERMSIG(status))
                                               : "exit status " + std::to_string(WEXITSTATUS(status)));
    start(n);
  }

  void take(Worker& w, const std::string& text) {
    w.buffer += text;
    size_t end;
    while ((end = w.buffer.find('\n')) != std::string::npos) {
      pool_.finished(w.buffer.substr(0, end));
      w.buffer.erase(0, end + 1);
    }
  }

  const Pool& pool_;
  Shared* shared_ = nullptr;
  std::vector<Worker> workers_;
};

}  // namespace

void run_pool(const Pool& pool) { Run(pool).run(); }

}  // namespace heddle::judge
