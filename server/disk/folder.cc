#include "server/disk/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "server/disk/read.h"
#include "server/disk/write_all.h"

namespace heddle::disk {
namespace {

constexpr int kOpenFolder = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
constexpr int kDepthMost = 64;  // of folders in a folder that is removed

bool remove_at(int folder, const char* name, int depth);

bool empty_at(int folder, int depth) {
  DIR* const list = ::fdopendir(folder);
  if (!list) {
    ::close(folder);
    return false;
  }
  bool good = true;
  int error = 0;
  while (const dirent* entry = ::readdir(list)) {
    const std::string_view name = entry->d_name;
    if (name == "." || name == ".." || remove_at(::dirfd(list), entry->d_name, depth)) continue;
    good = false;
    error = errno;
  }
  ::closedir(list);
  errno = error;
  return good;
}

bool remove_at(int folder, const char* name, int depth) {
  if (::unlinkat(folder, name, 0) == 0 || errno == ENOENT) return true;
  if (errno != EISDIR && errno != EPERM) return false;
  if (depth == 0) {
    errno = ENAMETOOLONG;
    return false;
  }
  const int inner = ::openat(folder, name, kOpenFolder | O_NOFOLLOW);
  if (inner < 0) return false;
  if (!empty_at(inner, depth - 1)) return false;
  return ::unlinkat(folder, name, AT_REMOVEDIR) == 0;
}

}  // namespace

Folder Folder::open(const std::string& base, const std::vector<std::string>& names, Missing missing) {
  if (missing == Missing::Make) {
    std::error_code ignored;
    std::filesystem::create_directories(base, ignored);
  }
  int at = ::open(base.c_str(), kOpenFolder);
  for (const std::string& name : names) {
    if (at < 0) break;
    if (missing == Missing::Make) ::mkdirat(at, name.c_str(), 0777);
    const int next = ::openat(at, name.c_str(), kOpenFolder | O_NOFOLLOW);
    const int error = errno;
    ::close(at);
    errno = error;
    at = next;
  }
  return Folder(at);
}

Folder::Folder(Folder&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

Folder& Folder::operator=(Folder&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

Folder::~Folder() {
  if (fd_ >= 0) ::close(fd_);
}

bool Folder::writable() const { return valid() && ::faccessat(fd_, ".", W_OK | X_OK, 0) == 0; }

bool Folder::has(const std::string& name) const {
  struct stat info{};
  return valid() && ::fstatat(fd_, name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(info.st_mode);
}

std::optional<std::string> Folder::read(const std::string& name, uint64_t bytes_most) const {
  if (!valid()) return std::nullopt;
  const int fd = ::openat(fd_, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (fd < 0) return std::nullopt;
  std::optional<std::string> text = read_descriptor(fd, bytes_most);
  ::close(fd);
  return text;
}

bool Folder::write(const std::string& name, std::string_view bytes, unsigned mode) const {
  const std::string partial = name + "." + std::to_string(::getpid());
  ::unlinkat(fd_, partial.c_str(), 0);
  const int fd = ::openat(fd_, partial.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (fd < 0) return false;
  bool good = write_all(fd, bytes);
  int error = errno;
  if (::close(fd) != 0 && good) {
    good = false;
    error = errno;
  }
  if (good && ::renameat(fd_, partial.c_str(), fd_, name.c_str()) == 0) return true;
  if (good) error = errno;
  ::unlinkat(fd_, partial.c_str(), 0);
  errno = error;
  return false;
}

bool Folder::write_first(const std::string& name, std::string_view bytes) const {
  const std::string partial = name + "." + std::to_string(::getpid());
  if (!write(partial, bytes)) return false;
  const bool made = ::linkat(fd_, partial.c_str(), fd_, name.c_str(), 0) == 0 || errno == EEXIST;
  ::unlinkat(fd_, partial.c_str(), 0);
  return made;
}

// A line. One before it that a killed process left unfinished is ended first: it alone is lost.
bool Folder::append(const std::string& name, std::string_view line) const {
  const int fd = ::openat(fd_, name.c_str(), O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  struct stat info{};
  char last = '\n';
  const bool known = ::fstat(fd, &info) == 0 && info.st_size > 0 && ::pread(fd, &last, 1, info.st_size - 1) == 1;
  const std::string whole = (known && last != '\n' ? "\n" : "") + std::string(line);
  const bool good = write_all(fd, whole);
  return ::close(fd) == 0 && good;
}

bool Folder::remove(const std::string& name) const { return valid() && remove_at(fd_, name.c_str(), kDepthMost); }

}  // namespace heddle::disk
