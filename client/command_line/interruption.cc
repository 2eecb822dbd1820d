#include "client/command_line/interruption.h"

#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace heddle::client {

constexpr int kTickMs = 100;

Interruption::Interruption(std::function<void()> tick) : tick_(std::move(tick)) {
  sigset_t set;
  sigemptyset(&set);
  for (int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, number);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  signal_fd_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  wake_fd_ = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  thread_ = std::thread([this] { run(); });
}

Interruption::~Interruption() {
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(wake_fd_, &one, sizeof one);
  thread_.join();
  close(wake_fd_);
  close(signal_fd_);
}

void Interruption::on_interrupt(std::function<void()> callback) {
  std::lock_guard lock(mutex_);
  callback_ = std::move(callback);
  if (happened_ && callback_) callback_();
}

void Interruption::run() {
  for (;;) {
    pollfd entries[2] = {{signal_fd_, POLLIN, 0}, {wake_fd_, POLLIN, 0}};
    const int ready = poll(entries, 2, tick_ ? kTickMs : -1);
    if (ready == 0) {
      tick_();
      continue;
    }
    if (entries[1].revents) return;
    signalfd_siginfo info;
    if (read(signal_fd_, &info, sizeof info) != sizeof info) continue;
    if (happened_.exchange(true)) _exit(130);  // a second Ctrl-C does not wait
    std::lock_guard lock(mutex_);
    if (callback_) callback_();
  }
}

}  // namespace heddle::client
