// errno.h, assert.h, signal.h, locale.h, unistd.h, sys/mman.h and what else programs ask the system.
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "server/machine/library_support.h"
#include "server/machine/sync_codes.h"

namespace heddle::machine {
namespace library {
namespace {

Status errno_location(Guest& g) { return done(g, errno_address(g)); }

// __assert_fail(expression, file, line, function), __assert(expression, file, line)
Status assert_fail(Guest& g, bool with_function) {
  std::string expression, function;
  if (!g.read_string(g.pointer(0), expression)) return Status::Faulted;
  if (with_function && g.pointer(3).bits != 0 && !g.read_string(g.pointer(3), function)) return Status::Faulted;
  return g.fault(FaultKind::Assertion,
                 "assertion '" + expression + "' failed" + (function.empty() ? "" : " in " + function));
}
Status assert_fail_(Guest& g) { return assert_fail(g, true); }
Status assert_(Guest& g) { return assert_fail(g, false); }
Status assert_perror_fail_(Guest& g) {
  return g.fault(FaultKind::Assertion, "unexpected error: " + error_text(g.int_argument(0)));
}

Status stack_check_fail(Guest& g) { return g.fault(FaultKind::OutOfBounds, "stack smashing detected"); }
Status check_fail(Guest& g) { return g.fault(FaultKind::OutOfBounds, "buffer overflow detected"); }

// Signals are not delivered from outside; raise() calls the handler like a function.
constexpr int kSignals = 65;
Pointer signal_slot(Guest& g, int number) {
  return after(g.process_object("heddle.signals", 8 * kSignals), 8 * static_cast<uint64_t>(number));
}
bool is_signal(int number) { return number > 0 && number < kSignals; }

Status signal_(Guest& g) {
  const int number = g.int_argument(0);
  if (!is_signal(number) || number == SIGKILL || number == SIGSTOP) return failed_long(g, EINVAL, -1);
  uint64_t old;
  if (!load(g, signal_slot(g, number), old) || !store(g, signal_slot(g, number), g.argument(1))) return Status::Faulted;
  return done(g, old);
}

Status sigaction_(Guest& g) {  // glibc: handler, 128 bytes of mask, flags, restorer
  constexpr uint32_t kSize = 152;
  const int number = g.int_argument(0);
  if (!is_signal(number)) return failed(g, EINVAL);
  uint64_t handler;
  if (!load(g, signal_slot(g, number), handler)) return Status::Faulted;
  if (g.pointer(2).bits != 0 && !(g.fill(g.pointer(2), 0, kSize) && store(g, g.pointer(2), handler)))
    return Status::Faulted;
  if (g.pointer(1).bits != 0) {
    if (number == SIGKILL || number == SIGSTOP) return failed(g, EINVAL);
    if (!load(g, g.pointer(1), handler) || !store(g, signal_slot(g, number), handler)) return Status::Faulted;
  }
  return done_int(g, 0);
}

Status raise_signal(Guest& g, int number) {
  if (g.stage() > 0) return done_int(g, 0);
  if (!is_signal(number)) return number == 0 ? done_int(g, 0) : failed(g, EINVAL);
  uint64_t handler;
  if (!load(g, signal_slot(g, number), handler)) return Status::Faulted;
  const bool harmless = number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH;
  if (handler == 1 || (handler == 0 && harmless)) return done_int(g, 0);
  if (handler == 0) {
    const char* name = sigdescr_np(number);
    return g.fault(FaultKind::Abort,
                   "killed by signal " + std::to_string(number) + (name ? std::string(" (") + name + ")" : ""));
  }
  const uint64_t arguments[1] = {static_cast<uint64_t>(number)};
  return g.call(Pointer{handler}, arguments);
}
Status raise_(Guest& g) { return raise_signal(g, g.int_argument(0)); }
Status kill_(Guest& g) {
  const int32_t process = g.int_argument(0);
  return process == kProcess || process == 0 ? raise_signal(g, g.int_argument(1)) : failed(g, ESRCH);
}

Status reach_error(Guest& g) { return g.fault(FaultKind::Assertion, "reaches the error location"); }

Status abort_(Guest& g) {
  uint64_t handler;
  if (g.stage() == 0) {
    if (!load(g, signal_slot(g, SIGABRT), handler)) return Status::Faulted;
    const uint64_t arguments[1] = {SIGABRT};
    if (handler > 1) return g.call(Pointer{handler}, arguments);
  }
  return g.fault(FaultKind::Abort, "abort() called");
}

// sigset_t: 128 bytes, bit n-1 for signal n.
Status fill_set(Guest& g, uint8_t byte) {
  if (!g.fill(g.pointer(0), byte, 128)) return Status::Faulted;
  return done_int(g, 0);
}
Status sigemptyset_(Guest& g) { return fill_set(g, 0); }
Status sigfillset_(Guest& g) { return fill_set(g, 0xff); }
template <int change>  // 1: add, -1: remove, 0: ask
Status sigset_member(Guest& g) {
  const int number = g.int_argument(1);
  if (!is_signal(number)) return failed(g, EINVAL);
  uint64_t bits;
  const uint64_t bit = uint64_t{1} << (number - 1);
  if (!load(g, g.pointer(0), bits)) return Status::Faulted;
  if (change == 0) return done_int(g, (bits & bit) != 0);
  if (!store(g, g.pointer(0), change > 0 ? bits | bit : bits & ~bit)) return Status::Faulted;
  return done_int(g, 0);
}
Status sigprocmask_(Guest& g) {
  if (g.pointer(2).bits != 0 && !g.fill(g.pointer(2), 0, 128)) return Status::Faulted;
  return done_int(g, 0);
}

Status setlocale_(Guest& g) {  // only the C locale exists
  if (g.pointer(1).bits != 0) {
    std::string name;
    if (!g.read_string(g.pointer(1), name)) return Status::Faulted;
    if (!name.empty() && name != "C" && name != "POSIX") return done(g, uint64_t{0});
  }
  return done(g, g.constant_string("C"));
}

Status localeconv_(Guest& g) {
  struct Conventions {
    uint64_t text[10];
    char number[14];
    char unused[2];
  } all;
  static_assert(sizeof(Conventions) == 96);
  for (uint64_t& text : all.text) text = g.constant_string("").bits;
  all.text[0] = g.constant_string(".").bits;
  for (char& number : all.number) number = CHAR_MAX;
  all.unused[0] = all.unused[1] = 0;
  const Pointer at = g.process_object("heddle.localeconv", sizeof all);
  uint64_t present;
  if (!load(g, at, present) || (present == 0 && !store(g, at, all))) return Status::Faulted;
  return done(g, at);
}

Status getpid_(Guest& g) { return done_int(g, kProcess); }
Status getppid_(Guest& g) { return done_int(g, 1); }
Status gettid_(Guest& g) { return done_int(g, kProcess + static_cast<int32_t>(g.thread().value)); }
Status getuid_(Guest& g) { return done_int(g, kProcess); }
Status two(Guest& g) { return done_int(g, 2); }
Status page_size(Guest& g) { return done_int(g, 4096); }
Status umask_(Guest& g) { return done_int(g, 022); }

Status sysconf_(Guest& g) {
  switch (g.int_argument(0)) {
    case _SC_NPROCESSORS_ONLN:
    case _SC_NPROCESSORS_CONF: return done(g, uint64_t{2});
    case _SC_PAGESIZE: return done(g, uint64_t{4096});
    case _SC_CLK_TCK: return done(g, uint64_t{100});
    case _SC_OPEN_MAX: return done(g, uint64_t{1024});
    case _SC_PHYS_PAGES: return done(g, uint64_t{1} << 18);
    case _SC_AVPHYS_PAGES: return done(g, uint64_t{1} << 17);
    case _SC_LEVEL1_DCACHE_LINESIZE: return done(g, uint64_t{64});
    case _SC_LEVEL1_DCACHE_SIZE: return done(g, uint64_t{32768});
    case _SC_ARG_MAX: return done(g, uint64_t{131072});
    case _SC_HOST_NAME_MAX: return done(g, uint64_t{64});
    case _SC_IOV_MAX: return done(g, uint64_t{1024});
    case _SC_THREADS:
    case _SC_MONOTONIC_CLOCK: return done(g, uint64_t{200809});
    default: return failed_long(g, EINVAL, -1);
  }
}

Status gethostname_(Guest& g) {
  if (g.argument(1) < 5) return failed(g, ENAMETOOLONG);
  if (!g.write_string(g.pointer(0), "host")) return Status::Faulted;
  return done_int(g, 0);
}

// Anonymous memory is a heap block; there is nothing else to map.
Status mmap_(Guest& g) {
  constexpr uint64_t kAnonymous = 0x20, kFixed = 0x10;
  if (g.argument(1) == 0) return failed_long(g, EINVAL, -1);
  if (g.argument(1) > uint64_t{1} << 40) return failed_long(g, ENOMEM, -1);
  if ((g.argument(3) & kAnonymous) == 0 || (g.argument(3) & kFixed) != 0) return failed_long(g, ENODEV, -1);
  const Pointer block = g.allocate((g.argument(1) + 4095) & ~uint64_t{4095}, 4096, true);
  return block.bits == 0 ? failed_long(g, ENOMEM, -1) : done(g, block);
}
Status munmap_(Guest& g) {
  uint64_t size;
  if (!g.block_size(g.pointer(0), size)) return Status::Faulted;
  if (((g.argument(1) + 4095) & ~uint64_t{4095}) != size)
    return g.fault(FaultKind::Unsupported, "munmap of a part of a mapping");
  if (!g.release(g.pointer(0))) return Status::Faulted;
  return done_int(g, 0);
}

Status swap16(Guest& g) { return done(g, uint64_t{__builtin_bswap16(static_cast<uint16_t>(g.argument(0)))}); }
Status swap32(Guest& g) { return done(g, uint64_t{__builtin_bswap32(static_cast<uint32_t>(g.argument(0)))}); }

constexpr BuiltinRow kRows[] = {
    {"__errno_location", errno_location},
    {"__assert_fail", assert_fail_},
    {"__assert", assert_},
    {"__assert_perror_fail", assert_perror_fail_},
    {"__stack_chk_fail", stack_check_fail},
    {"__chk_fail", check_fail},
    {"abort", abort_},
    {"reach_error", reach_error},
    {"__VERIFIER_error", reach_error},
    {"signal", signal_},
    {"bsd_signal", signal_},
    {"__sysv_signal", signal_},
    {"sigaction", sigaction_},
    {"raise", raise_},
    {"kill", kill_},
    {"sigemptyset", sigemptyset_},
    {"sigfillset", sigfillset_},
    {"sigaddset", sigset_member<1>},
    {"sigdelset", sigset_member<-1>},
    {"sigismember", sigset_member<0>},
    {"sigprocmask", sigprocmask_},
    {"alarm", return_zero},
    {"setlocale", setlocale_},
    {"localeconv", localeconv_},
    {"getpid", getpid_},
    {"getppid", getppid_},
    {"gettid", gettid_},
    {"getuid", getuid_},
    {"geteuid", getuid_},
    {"getgid", getuid_},
    {"getegid", getuid_},
    {"get_nprocs", two},
    {"get_nprocs_conf", two},
    {"getpagesize", page_size},
    {"umask", umask_},
    {"sysconf", sysconf_},
    {"gethostname", gethostname_},
    {"mmap", mmap_},
    {"mmap64", mmap_},
    {"munmap", munmap_},
    {"madvise", return_zero},
    {"mprotect", return_zero},
    {"mlock", return_zero},
    {"munlock", return_zero},
    {"htons", swap16},
    {"ntohs", swap16},
    {"htonl", swap32},
    {"ntohl", swap32},
};

}  // namespace
}  // namespace library

std::span<const BuiltinRow> posix_builtins() {
  static const library::Rows rows =
      library::join({library::kRows, library::option_rows(), library::system_rows(), library::directory_rows()});
  return rows;
}

}  // namespace heddle::machine
