#include "server/base/reading_sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstring>

#include "server/base/sanitized.h"

namespace heddle::base {
namespace {

constexpr int kHarmless[] = {
    SCMP_SYS(brk), SCMP_SYS(mmap), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise), SCMP_SYS(mprotect),
    SCMP_SYS(mincore), SCMP_SYS(futex), SCMP_SYS(sched_yield), SCMP_SYS(sched_getaffinity), SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres), SCMP_SYS(clock_nanosleep), SCMP_SYS(gettimeofday), SCMP_SYS(getrandom), SCMP_SYS(getrusage),
    SCMP_SYS(sysinfo), SCMP_SYS(uname), SCMP_SYS(getpid), SCMP_SYS(gettid), SCMP_SYS(getuid), SCMP_SYS(geteuid),
    SCMP_SYS(getgid), SCMP_SYS(getegid), SCMP_SYS(getcwd), SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigaction), SCMP_SYS(sigaltstack), SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(set_tid_address),
    SCMP_SYS(exit), SCMP_SYS(exit_group), SCMP_SYS(restart_syscall),
    // Of descriptors: all that this process can have are open for reading, or its own channel.
    SCMP_SYS(read), SCMP_SYS(pread64), SCMP_SYS(readv), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(lseek),
    SCMP_SYS(close), SCMP_SYS(poll), SCMP_SYS(ppoll), SCMP_SYS(getdents64),
    // Of names: looking.
    SCMP_SYS(stat), SCMP_SYS(lstat), SCMP_SYS(fstat), SCMP_SYS(newfstatat), SCMP_SYS(statx), SCMP_SYS(access),
    SCMP_SYS(faccessat), SCMP_SYS(faccessat2), SCMP_SYS(readlink), SCMP_SYS(readlinkat), SCMP_SYS(statfs),
    SCMP_SYS(fstatfs)};

constexpr scmp_datum_t kWriting = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY);

int add_rules(scmp_filter_ctx filter) {
  int error = 0;
  for (const int call : kHarmless) error |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
  error |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1, SCMP_A1(SCMP_CMP_MASKED_EQ, kWriting, 0));
  error |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1, SCMP_A2(SCMP_CMP_MASKED_EQ, kWriting, 0));
  // Threads, no processes. The newer call keeps its flags in memory, where no filter sees them.
  error |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
                            SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD | CLONE_VM, CLONE_THREAD | CLONE_VM));
  error |= seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
  for (const int what : {F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC})
    error |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
                              SCMP_A1(SCMP_CMP_EQ, static_cast<scmp_datum_t>(what)));
  // To itself only, as abort() does.
  const auto self = static_cast<scmp_datum_t>(::getpid());
  error |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1, SCMP_A0(SCMP_CMP_EQ, self));
  error |= seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, SCMP_A0(SCMP_CMP_EQ, 0),
                            SCMP_A2(SCMP_CMP_EQ, 0));
  return error;
}

bool limit(__rlimit_resource resource, uint64_t most) {
  const rlimit value{most, most};
  return ::setrlimit(resource, &value) == 0;
}

}  // namespace

uint64_t address_space_bytes() {
  unsigned long pages = 0;
  if (FILE* statm = std::fopen("/proc/self/statm", "re")) {
    if (std::fscanf(statm, "%lu", &pages) != 1) pages = 0;
    std::fclose(statm);
  }
  return uint64_t{pages} * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::string enter_reading_sandbox(uint64_t memory_bytes) {
  const uint64_t in_use = address_space_bytes();
  bool good = limit(RLIMIT_CORE, 0) && limit(RLIMIT_FSIZE, 0);
  if (!kSanitized) good = good && limit(RLIMIT_AS, in_use + memory_bytes);
  if (!good) return std::string("limits cannot be set: ") + std::strerror(errno);
  scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
  if (!filter) return "no filter for system calls can be made";
  const int error = add_rules(filter);
  const int loaded = error == 0 ? seccomp_load(filter) : error;  // sets no_new_privs, too
  seccomp_release(filter);
  return loaded == 0 ? "" : std::string("the filter for system calls cannot be set: ") + std::strerror(-loaded);
}

}  // namespace heddle::base
