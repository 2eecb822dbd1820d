#include "server/engine/explorers/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <cstring>

#include "server/base/reading_sandbox.h"
#include "server/base/sanitized.h"

namespace heddle::engine {

namespace {

constexpr auto kCurrentFolder = static_cast<scmp_datum_t>(static_cast<uint32_t>(AT_FDCWD));
constexpr uint32_t kSelf = 0x7e1d0001;  // no process has this number

static_assert(sizeof(sock_filter) == sizeof(uint64_t));

bool limit(__rlimit_resource resource, uint64_t soft, uint64_t hard) {
  const rlimit value{soft, hard};
  return ::setrlimit(resource, &value) == 0;
}

}  // namespace

Sandbox::Sandbox(int pipe_fd) {
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
  if (!filter) {
    problem_ = "no filter for system calls can be made";
    return;
  }
  int error = 0;
  const auto allow = [&](int call) { error |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0); };
  for (const int call :
       {SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(mprotect),
        SCMP_SYS(futex), SCMP_SYS(sched_yield), SCMP_SYS(clock_gettime), SCMP_SYS(gettimeofday), SCMP_SYS(getrandom),
        SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigprocmask), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(exit),
        SCMP_SYS(exit_group), SCMP_SYS(restart_syscall)})
    allow(call);
  if (base::kSanitized) allow(SCMP_SYS(sigaltstack));  // the sanitizer's, when the process ends
  const auto fd = static_cast<scmp_datum_t>(pipe_fd);
  error |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(write), 1, SCMP_A0(SCMP_CMP_EQ, fd));
  // Messages of the C library to stderr are swallowed instead of ending the process with a misleading signal.
  error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EBADF), SCMP_SYS(write), 1, SCMP_A0(SCMP_CMP_NE, fd));
  error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EBADF), SCMP_SYS(writev), 0);
  // Z3 counts the processors: it may not look, and works without.
  error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(sched_getaffinity), 0);
  error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(EACCES), SCMP_SYS(openat), 2, SCMP_A0(SCMP_CMP_EQ, kCurrentFolder),
                            SCMP_A2(SCMP_CMP_EQ, scmp_datum_t{O_RDONLY | O_CLOEXEC}));
  // abort() signals itself; enter() puts the process's own number in the place of kSelf.
  error |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, scmp_datum_t{kSelf}));
  const int memory = ::memfd_create("heddle-filter", MFD_CLOEXEC);
  if (error != 0 || memory < 0 || seccomp_export_bpf(filter, memory) != 0) {
    problem_ = "the filter for system calls cannot be made";
  } else {
    const off_t bytes = ::lseek(memory, 0, SEEK_END);
    filter_.resize(static_cast<size_t>(bytes) / sizeof(sock_filter));
    if (::pread(memory, filter_.data(), static_cast<size_t>(bytes), 0) != bytes) problem_ = "the filter is cut short";
  }
  if (memory >= 0) ::close(memory);
  seccomp_release(filter);
}

std::string Sandbox::enter(const SandboxLimits& limits) const {
  if (!problem_.empty()) return problem_;
  const uint64_t in_use = base::address_space_bytes();  // while files can still be opened
  bool good = limit(RLIMIT_CORE, 0, 0) && limit(RLIMIT_NOFILE, 0, 0) && limit(RLIMIT_FSIZE, 0, 0);
  if (limits.memory_bytes > 0 && !base::kSanitized) {
    const uint64_t bytes = in_use + limits.memory_bytes;
    good = good && limit(RLIMIT_AS, bytes, bytes);
  }
  if (limits.cpu_seconds > 0) {
    const auto seconds = static_cast<uint64_t>(std::ceil(limits.cpu_seconds));
    good = good && limit(RLIMIT_CPU, seconds, seconds + 1);
  }
  if (!good) return std::string("limits cannot be set: ") + std::strerror(errno);
  std::vector<uint64_t> filter = filter_;
  for (uint64_t& word : filter) {
    auto& step = reinterpret_cast<sock_filter&>(word);
    if (step.k == kSelf) step.k = static_cast<uint32_t>(::getpid());
  }
  sock_fprog program{};
  program.len = static_cast<unsigned short>(filter.size());
  program.filter = reinterpret_cast<sock_filter*>(filter.data());
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) != 0)
    return std::string("the filter for system calls cannot be set: ") + std::strerror(errno);
  return "";
}

}  // namespace heddle::engine
