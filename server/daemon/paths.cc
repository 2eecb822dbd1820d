#include "server/daemon/paths.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace heddle::daemon {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// One level of mkdir -p that stays private to the user.
bool make_directories(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  return fs::is_directory(path, error);
}

uint64_t modified_ns(const std::string& path) {
  struct stat info;
  if (stat(path.c_str(), &info) != 0) return 0;
  return static_cast<uint64_t>(info.st_mtim.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(info.st_mtim.tv_nsec);
}

bool is_there(const fs::path& path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0;
}

}  // namespace

std::variant<RuntimePaths, Error> runtime_paths() {
  RuntimePaths paths;
  const std::string isolated = environment("HEDDLE_RUNTIME_DIR");
  if (!isolated.empty()) {
    paths.directory = absolute_path(isolated, fs::current_path().string());
  } else if (const std::string xdg = environment("XDG_RUNTIME_DIR"); !xdg.empty() && is_there(xdg)) {
    paths.directory = xdg + "/heddle";
  } else {
    paths.directory = "/tmp/heddle-" + std::to_string(getuid());
  }
  const std::string parent = fs::path(paths.directory).parent_path().string();
  if (!isolated.empty()) make_directories(parent);
  if (mkdir(paths.directory.c_str(), 0700) != 0 && errno != EEXIST) {
    return Error{"cannot create the folder for the daemon's socket, " + paths.directory + ": " + std::strerror(errno),
                 "make it writable, or set HEDDLE_RUNTIME_DIR to another folder"};
  }
  struct stat info;
  if (lstat(paths.directory.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) {
    return Error{paths.directory + " is not a folder", "remove it, or set HEDDLE_RUNTIME_DIR to another folder"};
  }
  if (info.st_uid != getuid()) {
    return Error{paths.directory + " belongs to another user (uid " + std::to_string(info.st_uid) + ")",
                 "set HEDDLE_RUNTIME_DIR to a folder of your own"};
  }
  if ((info.st_mode & 0077) != 0 && chmod(paths.directory.c_str(), 0700) != 0) {
    return Error{paths.directory + " can be entered by other users", "chmod 700 " + paths.directory};
  }
  paths.socket = paths.directory + "/heddled.sock";
  paths.lock = paths.directory + "/heddled.lock";
  if (paths.socket.size() >= sizeof(sockaddr_un::sun_path)) {
    return Error{"the path of the daemon's socket is too long for the system: " + paths.socket,
                 "set HEDDLE_RUNTIME_DIR to a shorter path"};
  }
  std::string state = environment("HEDDLE_STATE_DIR");
  if (state.empty() && !isolated.empty()) state = paths.directory;
  if (state.empty()) {
    if (const std::string xdg = environment("XDG_STATE_HOME"); !xdg.empty())
      state = xdg + "/heddle";
    else if (const std::string home = environment("HOME"); !home.empty())
      state = home + "/.local/state/heddle";
  }
  if (state.empty() || !make_directories(state)) state = paths.directory;
  paths.state_directory = state;
  paths.log = state + "/heddled.log";
  return paths;
}

std::string binary_directory() {
  char buffer[4096];
  const ssize_t size = readlink("/proc/self/exe", buffer, sizeof buffer);
  if (size <= 0) return ".";
  std::string path(buffer, static_cast<size_t>(size));
  // A binary replaced while it runs is shown with this ending; its successor is what lies at the path.
  constexpr std::string_view kDeleted = " (deleted)";
  if (path.ends_with(kDeleted)) path.resize(path.size() - kDeleted.size());
  return fs::path(path).parent_path().string();
}

std::string engine_binary() {
  const std::string given = environment("HEDDLE_ENGINE");
  return given.empty() ? binary_directory() + "/heddle-engine" : given;
}

std::string daemon_binary() {
  const std::string given = environment("HEDDLE_DAEMON");
  return given.empty() ? binary_directory() + "/heddled" : given;
}

uint64_t build_number() { return std::max(modified_ns(daemon_binary()), modified_ns(engine_binary())); }

std::string absolute_path(const std::string& path, const std::string& base) {
  fs::path result(path);
  if (result.is_relative()) result = fs::path(base) / result;
  result = result.lexically_normal();
  std::string text = result.string();
  while (text.size() > 1 && text.back() == '/') text.pop_back();
  return text;
}

}  // namespace heddle::daemon
