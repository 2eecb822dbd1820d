// Notices saves of a set of files: inotify on their folders, or polling where inotify is not to be had.
//
// In:      absolute paths (set_files), the daemon's loop.
// Out:     one call of `changed` when saves have settled: 20 ms without another, at most about 200 ms after the first.
//          It waits up to 10 s more while `.git/index.lock` exists.
// Cost:    one inotify watch per folder; polling: one stat per file every 500 ms.
// Owns:    the inotify descriptor and its timers.
// Threads: the loop's thread; `changed` is called on it.
// Fails:   never. It polls if there is no inotify, if watches run out, or with HEDDLE_WATCH=poll. A folder that does
//          not exist or cannot be read is not watched.
// From:    watchman's settling and its states for version control.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "server/base/loop.h"

namespace heddle::daemon {

// Distinguishes two versions of a file without reading it. All zero: there is no such file.
struct FileStamp {
  uint64_t changed_ns = 0;  // the newest time of the file, and of the link that its name is
  uint64_t size = 0, inode = 0;
  bool operator==(const FileStamp&) const = default;
};
FileStamp file_stamp(const std::string& path);
uint64_t file_clock_ns();  // the clock that modification times are taken from, now

class SourceWatch {
 public:
  SourceWatch(base::Loop& loop, std::string root, std::function<void()> changed);
  ~SourceWatch();
  void set_files(const std::vector<std::string>& files);

 private:
  void watch_folders();
  void read_notices();
  void start_polling();
  void poll();
  void noticed();
  void settle();

  base::Loop& loop_;
  const std::string root_;
  const std::function<void()> changed_;
  std::set<std::string> files_;
  int inotify_fd_ = -1;
  std::map<int, std::set<std::string>> folders_;  // inotify watch -> folder, by all its names
  std::map<std::string, FileStamp> stamps_;       // polling
  base::Loop::TimerId settle_timer_ = 0, poll_timer_ = 0;
  base::Loop::Clock::time_point first_notice_;
};

}  // namespace heddle::daemon
