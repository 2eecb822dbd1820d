// errno.h, assert.h, locale.h, unistd.h, sys/mman.h and what else programs ask the system.
#include <langinfo.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstring>

#include "server/machine/library/model.h"
#include "server/machine/library/stream.h"
#include "server/machine/state.h"
#include "server/machine/sync/codes.h"

namespace heddle::machine {
namespace models {
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
// __heddle_outside(array, index, elements, bytes of one): of an array that is a part of its object.
Status outside(Guest& g) {
  auto& guest = static_cast<CallGuest&>(g);
  const Pointer array = g.pointer(0);
  const uint64_t elements = g.argument(2);
  const auto size = static_cast<uint32_t>(elements * g.argument(3));
  if (guest.s.memory_.find(array.bits)->kind == ObjectKindHost::None) {  // p->a[i], where p points nowhere
    guest.s.bad_access(*guest.t, array, size, "uses", false);
    return Status::Faulted;
  }
  const std::string index = std::to_string(static_cast<int64_t>(g.argument(1)));
  guest.s.fault(*guest.t, FaultKind::OutOfBounds,
                "uses index " + index + " of '" + guest.s.name_of(array, size) + "', an array of " +
                    std::to_string(elements) + (elements == 1 ? " element" : " elements"),
                array, size);
  return Status::Faulted;
}
Status check_fail(Guest& g) { return g.fault(FaultKind::OutOfBounds, "buffer overflow detected"); }

// __heddle_check_failed(check, values): of the models of test frameworks. The check is the same in every interleaving.
Status check_failed(Guest& g) {
  std::string check, values;
  if (!g.read_string(g.pointer(0), check) || !g.read_string(g.pointer(1), values)) return Status::Faulted;
  return g.fault(FaultKind::Assertion, "'" + check + "' fails" + (values.empty() ? "" : ": " + values));
}

// __heddle_not_linearizable(calls, why), in drivers.
Status not_linearizable(Guest& g) {
  std::string calls, why;
  if (!g.read_string(g.pointer(0), calls) || !g.read_string(g.pointer(1), why)) return Status::Faulted;
  return g.fault(FaultKind::NotLinearizable,
                 "no sequential order of the calls explains their results: " + calls + (why.empty() ? "" : "; " + why));
}

Status reach_error(Guest& g) { return g.fault(FaultKind::Assertion, "reaches the error location"); }

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

Status nl_langinfo_(Guest& g) {  // this process, too, is in the C locale
  return done(g, g.constant_string(nl_langinfo(static_cast<nl_item>(g.int_argument(0)))));
}
Status ttyname_(Guest& g) { return failed_null(g, ENOTTY); }

Status getpid_(Guest& g) { return done_int(g, kProcess); }
Status getppid_(Guest& g) { return done_int(g, 1); }
Status gettid_(Guest& g) {
  static_cast<CallGuest&>(g).s.asks_identity_ = true;
  return done_int(g, kProcess + static_cast<int32_t>(g.thread().value));
}
Status getuid_(Guest& g) { return done_int(g, kProcess); }
Status two(Guest& g) { return done_int(g, 2); }
Status page_size(Guest& g) { return done_int(g, 4096); }
Status umask_(Guest& g) {
  uint32_t old;
  if (!load_file_mask(g, old) || !store_file_mask(g, static_cast<uint32_t>(g.argument(0)) & 0777))
    return Status::Faulted;
  return done_int(g, static_cast<int32_t>(old));
}

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
    case _SC_MINSIGSTKSZ: return done(g, uint64_t{2048});
    case _SC_SIGSTKSZ: return done(g, uint64_t{8192});
    case _SC_THREAD_STACK_MIN: return done(g, uint64_t{16384});
    case _SC_THREAD_KEYS_MAX: return done(g, uint64_t{1024});
    case _SC_GETPW_R_SIZE_MAX:
    case _SC_GETGR_R_SIZE_MAX: return done(g, uint64_t{1024});
    case _SC_LOGIN_NAME_MAX: return done(g, uint64_t{256});
    case _SC_CHILD_MAX: return done(g, uint64_t{1024});
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

// Anonymous memory is a heap block. Files are mapped by guest text (server/frontend/support/mappings.cc).
Status mmap_(Guest& g) {
  constexpr uint64_t kAnonymous = 0x20, kFixed = 0x10;
  if (g.argument(1) == 0) return failed_long(g, EINVAL, -1);
  if (g.argument(1) > uint64_t{1} << 40) return failed_long(g, ENOMEM, -1);
  if ((g.argument(3) & kAnonymous) == 0) return g.fault(FaultKind::Unsupported, "mmap() of a file");
  if ((g.argument(3) & kFixed) != 0) return g.fault(FaultKind::Unsupported, "mmap() with MAP_FIXED");
  const Pointer block = g.allocate((g.argument(1) + 4095) & ~uint64_t{4095}, 4096, true);
  return block.bits == 0 ? failed_long(g, ENOMEM, -1) : done(g, block);
}
Status munmap_(Guest& g) {
  uint64_t size;
  if (g.pointer(0).offset() % 4096 != 0) return failed(g, EINVAL);
  if (g.pointer(0).offset() != 0) return g.fault(FaultKind::Unsupported, "munmap of a part of a mapping");
  if (!g.block_size(g.pointer(0), size)) return Status::Faulted;
  if (((g.argument(1) + 4095) & ~uint64_t{4095}) != size)
    return g.fault(FaultKind::Unsupported, "munmap of a part of a mapping");
  if (!g.release(g.pointer(0))) return Status::Faulted;
  return done_int(g, 0);
}

// The pages of an anonymous mapping become zeros; advice without an effect on contents is taken.
Status madvise_(Guest& g) {
  constexpr int kWillNeedAtMost = 3, kDontNeed = 4, kFree = 8, kRemove = 9, kGuard = 102;
  const int advice = g.int_argument(2);
  if (g.argument(0) % 4096 != 0) return failed(g, EINVAL);
  if (advice == kFree || advice == kGuard)
    return g.fault(FaultKind::Unsupported, "madvise that leaves open what the memory holds");
  if (advice <= kWillNeedAtMost || (advice != kDontNeed && advice != kRemove)) return done_int(g, 0);
  return g.fill(g.pointer(0), 0, g.argument(1)) ? done_int(g, 0) : Status::Faulted;
}

// All memory may be read and written, always. So giving these rights changes nothing, and taking one is not followed.
Status mprotect_(Guest& g) {
  constexpr uint64_t kReadAndWrite = 3;
  if (g.argument(0) % 4096 != 0) return failed(g, EINVAL);
  if (g.argument(1) != 0 && (g.argument(2) & kReadAndWrite) != kReadAndWrite)
    return g.fault(FaultKind::Unsupported, "mprotect that takes a right from memory");
  return done_int(g, 0);
}

// mlock, munlock, msync(address, size, flags): what is there stays as it is.
bool is_mapped(uint64_t address) { return address >> 32 != 0; }
Status keep_in_memory(Guest& g) { return is_mapped(g.argument(0)) ? done_int(g, 0) : failed(g, ENOMEM); }
Status msync_(Guest& g) {
  const int flags = g.int_argument(2);
  const bool both = (flags & (MS_SYNC | MS_ASYNC)) == (MS_SYNC | MS_ASYNC);
  if (g.argument(0) % 4096 != 0 || both || (flags & ~(MS_SYNC | MS_ASYNC | MS_INVALIDATE)) != 0)
    return failed(g, EINVAL);
  return g.argument(1) == 0 || is_mapped(g.argument(0)) ? done_int(g, 0) : failed(g, ENOMEM);
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
    {"__heddle_check_failed", check_failed},
    {"__heddle_not_linearizable", not_linearizable},
    {"__heddle_outside", outside},
    {"reach_error", reach_error},
    {"__VERIFIER_error", reach_error},
    {"setlocale", setlocale_},
    {"localeconv", localeconv_},
    {"nl_langinfo", nl_langinfo_},
    {"ttyname", ttyname_},
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
    {"heddle.mmap", mmap_},
    {"mmap64", mmap_},
    {"munmap", munmap_},
    {"madvise", madvise_},
    {"mprotect", mprotect_},
    {"msync", msync_},
    {"mlock", keep_in_memory},
    {"munlock", keep_in_memory},
    {"htons", swap16},
    {"ntohs", swap16},
    {"htonl", swap32},
    {"ntohl", swap32},
};

}  // namespace
}  // namespace models

std::span<const BuiltinRow> posix_builtins() {
  static const models::Rows rows =
      models::join({models::kRows, models::option_rows(), models::system_rows(), models::directory_rows()});
  return rows;
}

}  // namespace heddle::machine
