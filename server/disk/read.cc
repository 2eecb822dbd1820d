#include "server/disk/read.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

namespace heddle::disk {
namespace {

void report(std::string* problem, const std::string& text) {
  if (problem) *problem = text;
}

void report_error(std::string* problem) { report(problem, std::string("cannot be read: ") + std::strerror(errno)); }

bool is_good(const struct stat& info, uint64_t bytes_most, std::string* problem) {
  if (!S_ISREG(info.st_mode)) {
    report(problem, S_ISDIR(info.st_mode) ? "is a folder" : "is no regular file");
    return false;
  }
  if (static_cast<uint64_t>(info.st_size) <= bytes_most) return true;
  report(problem, "is larger than " + megabytes(bytes_most));
  return false;
}

}  // namespace

std::string megabytes(uint64_t bytes) { return std::to_string(bytes >> 20) + " MB"; }

std::optional<std::string> read_descriptor(int fd, uint64_t bytes_most, std::string* problem) {
  struct stat info{};
  if (::fstat(fd, &info) != 0) {
    report_error(problem);
    return std::nullopt;
  }
  if (!is_good(info, bytes_most, problem)) return std::nullopt;
  std::string text(static_cast<size_t>(info.st_size) + 1, '\0');
  size_t done = 0;
  while (done <= bytes_most) {
    const ssize_t got = ::read(fd, text.data() + done, text.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      report_error(problem);
      return std::nullopt;
    }
    if (got == 0) break;
    done += static_cast<size_t>(got);
    if (done == text.size()) text.resize(text.size() * 2);
  }
  if (done > bytes_most) {
    report(problem, "is larger than " + megabytes(bytes_most));
    return std::nullopt;
  }
  text.resize(done);
  return text;
}

std::optional<std::string> read_regular(const std::string& path, uint64_t bytes_most, std::string* problem) {
  struct stat info{};
  // Looked at before it is opened, which may do something by itself; and again, for it may be another one by then.
  if (::stat(path.c_str(), &info) != 0) {
    report_error(problem);
    return std::nullopt;
  }
  if (!is_good(info, bytes_most, problem)) return std::nullopt;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) {
    report_error(problem);
    return std::nullopt;
  }
  std::optional<std::string> text = read_descriptor(fd, bytes_most, problem);
  ::close(fd);
  return text;
}

}  // namespace heddle::disk
