// Restricts an explorer to computing, taking memory within a limit, and writing to its pipe.
//
// In:      limits. The system call filter is made once, before the first fork, because making it costs more than a
//          fork.
// Out:     enter() binds the calling process for good.
// Owns:    the compiled filter.
// Threads: immutable after construction; enter() is called in a child with one thread.
// Fails:   enter() returns what the kernel refused, in words; the explorer must not run then. Empty on success.
// From:    docs/SECURITY.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::engine {

struct SandboxLimits {
  uint64_t memory_bytes = 0;  // address space on top of what the process has now
  double cpu_seconds = 0;     // 0: none
};

class Sandbox {
 public:
  explicit Sandbox(int pipe_fd);  // the descriptor number that the explorer writes to
  // Empty on success. Signals SIGXCPU and SIGSYS then mean: CPU limit, forbidden system call.
  std::string enter(const SandboxLimits& limits) const;

 private:
  std::vector<uint64_t> filter_;  // struct sock_filter, 8 bytes each
  std::string problem_;
};

}  // namespace heddle::engine
