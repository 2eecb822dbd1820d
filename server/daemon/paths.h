// Where a user's daemon lives, and how old the binaries are. No file's content is read.
//
// In:      environment (HEDDLE_RUNTIME_DIR, HEDDLE_STATE_DIR, HEDDLE_ENGINE, HEDDLE_DAEMON, HOME, XDG_*); paths.
// Out:     absolute paths; a build number in nanoseconds of modification time.
// Owns:    nothing; runtime_paths() makes the runtime and state folders.
// Threads: any; reads the environment.
// Fails:   runtime_paths() by value: an Error with a remedy if the runtime folder is not safe to use. The others never
//          fail.
// From:    XDG Base Directory Specification.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

namespace heddle::daemon {

struct Error {
  std::string message, remedy;
};

struct RuntimePaths {
  std::string directory;  // 0700, ours
  std::string socket, lock;
  std::string state_directory;  // logs
  std::string log;
};

// Creates the directory if it is missing. One that other users can enter becomes private; another user's is refused.
std::variant<RuntimePaths, Error> runtime_paths();

std::string binary_directory();  // of the running executable
std::string engine_binary();     // HEDDLE_ENGINE, else heddle-engine next to the running executable
std::string daemon_binary();     // HEDDLE_DAEMON, else heddled next to the running executable

// Modification time in nanoseconds of the newer of daemon and engine binary, for the handshake. 0: neither exists.
uint64_t build_number();

std::string absolute_path(const std::string& path, const std::string& base);  // lexically normal

}  // namespace heddle::daemon
