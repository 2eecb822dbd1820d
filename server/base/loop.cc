#include "server/base/loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>

namespace heddle::base {

namespace {

epoll_event interest(uint32_t events, int fd, uint32_t serial) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = uint64_t{serial} << 32 | static_cast<uint32_t>(fd);
  return event;
}

}  // namespace

Loop::Loop() : epoll_fd_(epoll_create1(EPOLL_CLOEXEC)), wake_fd_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  epoll_event event = interest(EPOLLIN, wake_fd_, 0);
  epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, wake_fd_, &event);
}

Loop::~Loop() {
  close(epoll_fd_);
  close(wake_fd_);
}

void Loop::post(std::function<void()> work) {
  {
    const MutexLock lock(mutex_);
    if (ended_) return;
    posted_.push_back(std::move(work));
  }
  const uint64_t one = 1;
  [[maybe_unused]] const ssize_t n = write(wake_fd_, &one, sizeof one);
}

void Loop::stop() {
  if (thread_.load() == std::this_thread::get_id())
    running_ = false;
  else
    post([this] { running_ = false; });
}

void Loop::run() {
  thread_ = std::this_thread::get_id();
  while (running_) {
    epoll_event events[32];
    const int count = epoll_wait(epoll_fd_, events, 32, wait_ms());
    for (int i = 0; i < count && running_; ++i) {
      const int fd = static_cast<int>(events[i].data.u64 & 0xffffffffu);
      if (fd == wake_fd_) {
        uint64_t value;
        [[maybe_unused]] const ssize_t n = read(wake_fd_, &value, sizeof value);
        run_posted();
        continue;
      }
      const auto found = watches_.find(fd);
      // An earlier callback of this round may have removed it, and even put a new one in its place.
      if (found == watches_.end() || found->second.serial != events[i].data.u64 >> 32) continue;
      const auto callback = found->second.callback;  // it may remove itself
      (*callback)(events[i].events);
    }
    run_timers();
  }
  std::vector<std::function<void()>> rest;
  const MutexLock lock(mutex_);
  ended_ = true;
  rest.swap(posted_);
}

void Loop::run_posted() {
  std::vector<std::function<void()>> work;
  {
    const MutexLock lock(mutex_);
    work.swap(posted_);
  }
  for (auto& closure : work) {
    if (!running_) return;
    closure();
    closure = nullptr;
  }
}

void Loop::watch(int fd, uint32_t events, std::function<void(uint32_t)> callback) {
  const bool known = watches_.contains(fd);
  watches_[fd] = {++last_serial_, std::make_shared<std::function<void(uint32_t)>>(std::move(callback))};
  epoll_event event = interest(events, fd, last_serial_);
  epoll_ctl(epoll_fd_, known ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event);
}

void Loop::change(int fd, uint32_t events) {
  epoll_event event = interest(events, fd, watches_.at(fd).serial);
  epoll_ctl(epoll_fd_, EPOLL_CTL_MOD, fd, &event);
}

void Loop::unwatch(int fd) {
  watches_.erase(fd);
  epoll_ctl(epoll_fd_, EPOLL_CTL_DEL, fd, nullptr);
}

Loop::TimerId Loop::after(std::chrono::milliseconds delay, std::function<void()> callback) {
  timers_.emplace(Clock::now() + delay, Timer{++last_timer_, std::move(callback)});
  return last_timer_;
}

void Loop::cancel(TimerId timer) {
  if (timer != 0) std::erase_if(timers_, [&](const auto& entry) { return entry.second.id == timer; });
}

int Loop::wait_ms() const {
  if (timers_.empty()) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(timers_.begin()->first - Clock::now()).count();
  return static_cast<int>(std::clamp<int64_t>(left, 0, 3'600'000));
}

void Loop::run_timers() {
  while (running_ && !timers_.empty() && timers_.begin()->first <= Clock::now()) {
    auto timer = timers_.extract(timers_.begin());
    timer.mapped().callback();
  }
}

}  // namespace heddle::base
