// What an explorer may do: compute, take memory within a limit, and write to its pipe. Nothing else.
//
// In:      limits; the filter is made once, before the first fork (making it costs more than a fork).
// Out:     enter() binds the calling process for good.
// Owns:    the compiled filter. Threads: one.
// Fails:   enter() says what the kernel refused; the explorer must then not run.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::engine {

struct SandboxLimits {
  uint64_t memory_bytes = 0;   // address space on top of what the process has now
  double cpu_seconds = 0;      // 0: none
};

class Sandbox {
 public:
  explicit Sandbox(int pipe_fd);   // the descriptor number that the explorer writes to
  // Empty on success. Signals SIGXCPU and SIGSYS then mean: CPU limit, forbidden system call.
  std::string enter(const SandboxLimits& limits) const;

 private:
  std::vector<uint64_t> filter_;   // struct sock_filter, 8 bytes each
  std::string problem_;
};

}  // namespace heddle::engine
