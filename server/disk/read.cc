#include "server/disk/read.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>

namespace heddle::disk {
namespace {

void tell(std::string* problem, const std::string& text) {
  if (problem) *problem = text;
}

bool is_good(const struct stat& info, uint64_t bytes_most, std::string* problem) {
  if (!S_ISREG(info.st_mode)) {
    tell(problem, S_ISDIR(info.st_mode) ? "is a folder" : "is no regular file");
    return false;
  }
  if (static_cast<uint64_t>(info.st_size) <= bytes_most) return true;
  tell(problem, "is larger than " + megabytes(bytes_most));
  return false;
}

}  // namespace

std::string megabytes(uint64_t bytes) { return std::to_string(bytes >> 20) + " MB"; }

std::optional<std::string> read_regular(const std::string& path, uint64_t bytes_most, std::string* problem) {
  struct stat info{};
  // Looked at before it is opened, which may do something by itself; and again, for it may be another one by then.
  if (::stat(path.c_str(), &info) != 0) {
    tell(problem, std::string("cannot be read: ") + std::strerror(errno));
    return std::nullopt;
  }
  if (!is_good(info, bytes_most, problem)) return std::nullopt;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0) {
    tell(problem, std::string("cannot be read: ") + std::strerror(errno));
    return std::nullopt;
  }
  std::optional<std::string> text;
  if (::fstat(fd, &info) == 0 && is_good(info, bytes_most, problem)) {
    text.emplace(static_cast<size_t>(info.st_size) + 1, '\0');
    size_t done = 0;
    ssize_t got = 0;
    while (done <= bytes_most && (got = ::read(fd, text->data() + done, text->size() - done)) > 0) {
      done += static_cast<size_t>(got);
      if (done == text->size()) text->resize(text->size() * 2);
    }
    text->resize(done);
    if (got < 0 || done > bytes_most) {
      tell(problem, got < 0 ? std::string("cannot be read: ") + std::strerror(errno)
                            : "is larger than " + megabytes(bytes_most));
      text.reset();
    }
  }
  ::close(fd);
  return text;
}

}  // namespace heddle::disk
