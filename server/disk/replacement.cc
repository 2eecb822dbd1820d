#include "server/disk/replacement.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <utility>

#include "server/disk/write_all.h"

namespace heddle::disk {
namespace {

constexpr mode_t kNewMode = 0666, kOwnMode = 0600;  // less the umask

bool refuse(std::string* problem, const std::string& words) {
  if (problem) *problem = words;
  return false;
}
bool refuse_for(std::string* problem, const std::string& what, int error) {
  return refuse(problem, what + ": " + std::strerror(error));
}

// Where the text is: at the end of all links.
std::optional<std::string> real_path(const std::string& path, std::string* problem) {
  struct stat info{};
  if (::lstat(path.c_str(), &info) != 0) {
    if (errno == ENOENT) return path;
    refuse_for(problem, "cannot be written", errno);
    return std::nullopt;
  }
  if (!S_ISLNK(info.st_mode)) return path;
  char* const real = ::realpath(path.c_str(), nullptr);
  if (!real) {
    const int error = errno;
    refuse_for(problem, "is a link that leads to nothing", error);
    return std::nullopt;
  }
  std::string out = real;
  ::free(real);
  return out;
}

std::string path_of(int fd) { return "/proc/self/fd/" + std::to_string(fd); }

}  // namespace

std::optional<Replacement> Replacement::begin(const std::string& path, std::string* problem) {
  const std::optional<std::string> real = real_path(path, problem);
  if (!real) return std::nullopt;
  const size_t slash = real->rfind('/');
  const std::string name = slash == real->npos ? *real : real->substr(slash + 1);
  const std::string parent = slash == real->npos ? "." : real->substr(0, slash + 1);
  Folder folder = Folder::open(parent, {}, Folder::Missing::Fail);
  if (!folder.valid()) {
    refuse_for(problem, "cannot be written: its folder", errno);
    return std::nullopt;
  }
  Replacement out(std::move(folder), name);
  const int at = out.folder_.descriptor();
  struct stat old{};
  const bool there = ::fstatat(at, name.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0;
  if (!there && errno != ENOENT) {
    refuse_for(problem, "cannot be written", errno);
    return std::nullopt;
  }
  if (there && !S_ISREG(old.st_mode)) {
    refuse(problem, "is no regular file");
    return std::nullopt;
  }
  if (there && ::faccessat(at, name.c_str(), W_OK, AT_EACCESS) != 0) {
    refuse_for(problem, "cannot be written", errno);
    return std::nullopt;
  }
  if (!out.open(there ? kOwnMode : kNewMode)) {
    refuse_for(problem, "cannot be written: no file can be made in its folder", errno);
    return std::nullopt;
  }
  if (!there) return out;
  struct stat made{};
  const bool same = ::fstat(out.fd_, &made) == 0 && made.st_uid == old.st_uid && made.st_gid == old.st_gid;
  if ((!same && ::fchown(out.fd_, old.st_uid, old.st_gid) != 0) || ::fchmod(out.fd_, old.st_mode & 07777) != 0) {
    refuse_for(problem, "cannot be written: its owner cannot be kept", errno);
    return std::nullopt;
  }
  return out;
}

Replacement::Replacement(Replacement&& other) noexcept
    : folder_(std::move(other.folder_)),
      name_(std::move(other.name_)),
      partial_(std::exchange(other.partial_, {})),
      fd_(std::exchange(other.fd_, -1)) {}

Replacement::~Replacement() {
  if (fd_ >= 0) ::close(fd_);
  if (!partial_.empty()) ::unlinkat(folder_.descriptor(), partial_.c_str(), 0);
}

// Without a name, so that a kill leaves nothing. Some file systems have no such files.
bool Replacement::open(mode_t mode) {
  fd_ = ::openat(folder_.descriptor(), ".", O_RDWR | O_TMPFILE | O_CLOEXEC, mode);
  if (fd_ >= 0 && ::access(path_of(fd_).c_str(), F_OK) == 0) return true;
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
  return take_name([&](const char* name) {
    fd_ = ::openat(folder_.descriptor(), name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    return fd_ >= 0;
  });
}

// The name does not grow with that of the file, which may be as long as a name can be.
bool Replacement::take_name(const std::function<bool(const char*)>& make) {
  static constexpr int kTries = 100;
  for (int n = 0; n < kTries; ++n) {
    const std::string name = ".heddle-" + std::to_string(::getpid()) + "-" + std::to_string(n) + ".part";
    if (make(name.c_str())) {
      partial_ = name;
      return true;
    }
    if (errno != EEXIST) return false;
  }
  return false;
}

bool Replacement::commit(std::string* problem) {
  // A file system without fsync has nothing to wait for.
  if (::fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) return refuse_for(problem, "cannot be written", errno);
  const int at = folder_.descriptor();
  const auto link = [&](const char* name) {
    return ::linkat(AT_FDCWD, path_of(fd_).c_str(), at, name, AT_SYMLINK_FOLLOW) == 0;
  };
  if (partial_.empty() && !take_name(link)) return refuse_for(problem, "cannot be replaced", errno);
  if (::close(std::exchange(fd_, -1)) != 0) return refuse_for(problem, "cannot be written", errno);
  if (::renameat(at, partial_.c_str(), at, name_.c_str()) != 0) return refuse_for(problem, "cannot be replaced", errno);
  partial_.clear();
  ::fsync(at);  // the name is there already; this is for a machine that loses its power now
  return true;
}

bool replace_file(const std::string& path, std::string_view bytes, std::string* problem) {
  std::optional<Replacement> made = Replacement::begin(path, problem);
  if (!made) return false;
  if (!write_all(made->descriptor(), bytes)) return refuse_for(problem, "cannot be written", errno);
  return made->commit(problem);
}

}  // namespace heddle::disk
