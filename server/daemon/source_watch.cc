#include "server/daemon/source_watch.h"

#include <sys/epoll.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace heddle::daemon {
namespace {

using std::chrono::milliseconds;
constexpr milliseconds kSettle{20}, kSettleMax{200}, kRepositoryBusy{100}, kRepositoryBusyMax{10'000}, kPoll{500};

uint64_t nanoseconds(const timespec& time) {
  return static_cast<uint64_t>(time.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(time.tv_nsec);
}

std::string folder_of(const std::string& file) {
  const size_t slash = file.rfind('/');
  return slash == std::string::npos || slash == 0 ? "/" : file.substr(0, slash);
}

bool repository_busy(const std::string& root) {
  // Held while git writes the working tree; a rebase that waits for the user does not hold it.
  struct stat info;
  return stat((root + "/.git/index.lock").c_str(), &info) == 0;
}

}  // namespace

FileStamp file_stamp(const std::string& path) {
  struct stat file, name;
  if (stat(path.c_str(), &file) != 0 || lstat(path.c_str(), &name) != 0) return {};
  // An older file that is moved to the name, or a link that leads to one, keeps the time of its text.
  return {std::max({nanoseconds(file.st_mtim), nanoseconds(file.st_ctim), nanoseconds(name.st_mtim),
                    nanoseconds(name.st_ctim)}),
          static_cast<uint64_t>(file.st_size), static_cast<uint64_t>(file.st_ino)};
}

uint64_t file_clock_ns() {
  timespec now;
  clock_gettime(CLOCK_REALTIME_COARSE, &now);
  return nanoseconds(now);
}

SourceWatch::SourceWatch(base::Loop& loop, std::string root, std::function<void()> changed)
    : loop_(loop), root_(std::move(root)), changed_(std::move(changed)) {
  const char* mode = std::getenv("HEDDLE_WATCH");
  if (!mode || std::string_view(mode) != "poll") inotify_fd_ = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (inotify_fd_ < 0)
    start_polling();
  else
    loop_.watch(inotify_fd_, EPOLLIN, [this](uint32_t) { read_notices(); });
}

SourceWatch::~SourceWatch() {
  loop_.cancel(settle_timer_);
  loop_.cancel(poll_timer_);
  if (inotify_fd_ < 0) return;
  loop_.unwatch(inotify_fd_);
  close(inotify_fd_);
}

void SourceWatch::set_files(const std::vector<std::string>& files) {
  files_ = {files.begin(), files.end()};
  if (inotify_fd_ >= 0) return watch_folders();
  std::map<std::string, FileStamp> stamps;
  for (const std::string& file : files_) {
    const auto known = stamps_.find(file);
    stamps[file] = known != stamps_.end() ? known->second : file_stamp(file);
  }
  stamps_ = std::move(stamps);
}

// A name may lead to another folder than it did: each is asked for again.
void SourceWatch::watch_folders() {
  std::set<std::string> wanted;
  for (const std::string& file : files_) wanted.insert(folder_of(file));
  std::map<int, std::set<std::string>> before = std::move(folders_);
  folders_.clear();
  for (const std::string& folder : wanted) {
    // Editors replace files as often as they write into them, so it is the folder that is watched.
    const int watch = inotify_add_watch(inotify_fd_, folder.c_str(),
                                        IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CREATE);
    if (watch >= 0) {
      folders_[watch].insert(folder);
    } else if (errno == ENOSPC) {
      loop_.unwatch(inotify_fd_);
      close(inotify_fd_);
      inotify_fd_ = -1;
      for (const std::string& file : files_) stamps_[file] = file_stamp(file);
      return start_polling();
    }
  }
  for (const auto& [watch, names] : before)
    if (!folders_.contains(watch)) inotify_rm_watch(inotify_fd_, watch);
}

void SourceWatch::read_notices() {
  alignas(inotify_event) char buffer[16384];
  bool ours = false;
  for (;;) {
    const ssize_t size = read(inotify_fd_, buffer, sizeof buffer);
    if (size <= 0) break;
    for (ssize_t at = 0; at < size;) {
      const auto* event = reinterpret_cast<const inotify_event*>(buffer + at);
      at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
      if (event->mask & IN_Q_OVERFLOW) ours = true;
      const auto folder = folders_.find(event->wd);
      if (folder == folders_.end() || event->len == 0) continue;
      for (const std::string& name : folder->second)
        ours = ours || files_.contains((name == "/" ? "" : name) + "/" + event->name);
    }
  }
  if (ours) noticed();
}

void SourceWatch::start_polling() {
  poll_timer_ = loop_.after(kPoll, [this] { poll(); });
}

void SourceWatch::poll() {
  bool differs = false;
  for (auto& [file, stamp] : stamps_) {
    const FileStamp now = file_stamp(file);
    differs = differs || now != stamp;
    stamp = now;
  }
  if (differs) noticed();
  start_polling();
}

void SourceWatch::noticed() {
  const auto now = base::Loop::Clock::now();
  if (settle_timer_ == 0)
    first_notice_ = now;
  else if (now - first_notice_ > kSettleMax)
    return;  // saves without end: the timer that runs is the last
  loop_.cancel(settle_timer_);
  settle_timer_ = loop_.after(kSettle, [this] { settle(); });
}

void SourceWatch::settle() {
  settle_timer_ = 0;
  if (repository_busy(root_) && base::Loop::Clock::now() - first_notice_ < kRepositoryBusyMax) {
    settle_timer_ = loop_.after(kRepositoryBusy, [this] { settle(); });
    return;
  }
  changed_();
}

}  // namespace heddle::daemon
