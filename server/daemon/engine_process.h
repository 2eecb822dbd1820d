// One heddle-engine: spawned with a socket pair in a process group of its own, and killed as a group.
//
// In:      the path of the engine binary.
// Out:     a process, a channel of frames, and for a daemon its standard error as a pipe.
// Owns:    the process and the descriptors. Destroying it kills the whole group (explorers too) and collects it.
// Threads: one at a time. The thread that spawns has to outlive the engine (parent-death signal).
// Fails:   spawn() by value.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <variant>

#include "server/daemon/frame_channel.h"
#include "server/daemon/paths.h"

namespace heddle::daemon {

class EngineProcess {
 public:
  // Of a daemon: its standard error is a pipe. For one command: it inherits standard error, and expects no edits.
  enum class Use : uint8_t { Daemon, OneCommand };
  static std::variant<std::unique_ptr<EngineProcess>, Error> spawn(const std::string& binary, Use use);
  ~EngineProcess();
  EngineProcess(const EngineProcess&) = delete;
  EngineProcess& operator=(const EngineProcess&) = delete;

  pid_t pid() const { return pid_; }
  FrameChannel& channel() { return channel_; }
  int stderr_fd() const { return stderr_fd_; }  // -1 when inherited
  int death_fd() const { return death_fd_; }    // readable once the process has ended; -1: no pidfd
  uint64_t memory_bytes() const;                // resident, of the engine itself; 0 if gone
  std::string end();                            // kills and collects; "signal 11 (Segmentation fault)", "exit code 3"

 private:
  EngineProcess(pid_t pid, int channel_fd, int stderr_fd, int death_fd)
      : pid_(pid), channel_(channel_fd), stderr_fd_(stderr_fd), death_fd_(death_fd) {}
  pid_t pid_;
  FrameChannel channel_;
  int stderr_fd_, death_fd_;
  bool collected_ = false;
};

}  // namespace heddle::daemon
