// err.h, error.h, syslog.h, sys/resource.h, sys/utsname.h, sched.h.
#include <sched.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <ctime>

#include "server/machine/library/format.h"
#include "server/machine/library/stream.h"
#include "server/machine/library/support.h"

namespace heddle::machine::models {
namespace {

// The message of err(3) and its like on standard error. `format_at`: which argument is the format.
bool report(Guest& g, uint32_t format_at, bool list, bool with_errno) {
  std::string text = "program: ";
  if (g.pointer(format_at).bits != 0) {
    bool failed;
    VariadicReader& arguments = list ? g.variadic_list(g.pointer(format_at + 1)) : g.variadic_arguments(format_at + 1);
    if (!format(g, g.pointer(format_at), arguments, text, failed)) return false;
    if (with_errno) text += ": ";
  }
  if (with_errno) {
    int32_t error;
    if (!load(g, errno_address(g), error)) return false;
    text += error_text(error);
  }
  Pointer at;
  Stream s;
  if (!load(g, g.process_object("stderr", 8), at.bits) || !load_stream(g, at, s)) return false;
  return put_text(g, s, text + "\n") && store(g, at, s);
}

template <bool list, bool with_errno>
Status warn_(Guest& g) {
  return done_if(report(g, 0, list, with_errno));
}

// err(status, format, ...): reports, then leaves like exit(status).
template <bool list, bool with_errno>
Status err_(Guest& g) {
  if (g.stage() == 0 && !report(g, 1, list, with_errno)) return Status::Faulted;
  return exit_model(g);
}

Status error_(Guest& g) {  // error(status, errno, format, ...)
  if (g.stage() == 0) {
    if (g.int_argument(1) != 0 && !g.set_errno(g.int_argument(1))) return Status::Faulted;
    if (!report(g, 2, false, g.int_argument(1) != 0)) return Status::Faulted;
    if (g.int_argument(0) == 0) return Status::Done;
  }
  return exit_model(g);
}

Status syslog_(Guest& g) {  // the text is read, and goes nowhere
  std::string text;
  bool failed;
  return done_if(format(g, g.pointer(1), g.variadic_arguments(2), text, failed));
}

Status uname_(Guest& g) {
  constexpr std::string_view kFields[] = {"Linux", "host", "6.1.0", "#1", "x86_64", "(none)"};
  for (uint64_t n = 0; n < 6; n++) {
    if (!g.fill(after(g.pointer(0), 65 * n), 0, 65) || !g.write_string(after(g.pointer(0), 65 * n), kFields[n]))
      return Status::Faulted;
  }
  return done_int(g, 0);
}

// sched_get_priority_max, sched_get_priority_min: of the policies, two have priorities.
template <int of_real_time>
Status priority_limit(Guest& g) {
  constexpr int kPolicies[] = {SCHED_OTHER, SCHED_BATCH, SCHED_IDLE, SCHED_DEADLINE, SCHED_FIFO, SCHED_RR};
  const int policy = g.int_argument(0);
  if (std::find(std::begin(kPolicies), std::end(kPolicies), policy) == std::end(kPolicies)) return failed(g, EINVAL);
  return done_int(g, policy == SCHED_FIFO || policy == SCHED_RR ? of_real_time : 0);
}

// __sched_cpucount(size, mask): CPU_COUNT
Status cpu_count_(Guest& g) {
  constexpr uint64_t kWordsMost = 1024;
  int32_t count = 0;
  for (uint64_t n = 0; n < std::min(g.argument(0) / 8, kWordsMost); ++n) {
    uint64_t word;
    if (!load(g, after(g.pointer(1), 8 * n), word)) return Status::Faulted;
    count += std::popcount(word);
  }
  return done_int(g, count);
}

Status get_priority_(Guest& g) {  // pthread_getschedparam(thread, policy, parameters)
  if (!store(g, g.pointer(1), int32_t{0}) || !store(g, g.pointer(2), int32_t{0})) return Status::Faulted;
  return done_int(g, 0);
}

// strptime in the C locale; where the time zone's name is, the program's own pointer stays.
Status strptime_(Guest& g) {
  std::string text, format;
  constexpr uint32_t kPlain = offsetof(struct tm, tm_zone);
  if (!g.read_string(g.pointer(0), text) || !g.read_string(g.pointer(1), format)) return Status::Faulted;
  // What is not in the text stays as it was, also when it was never written: tried on two different beginnings.
  struct tm first, second;
  std::memset(&first, 0, sizeof first);
  std::memset(&second, 0x55, sizeof second);
  const char* const end = ::strptime(text.c_str(), format.c_str(), &first);
  ::strptime(text.c_str(), format.c_str(), &second);
  for (uint32_t at = 0; at < kPlain; at += 4) {
    const auto* a = reinterpret_cast<const char*>(&first) + at;
    if (std::memcmp(a, reinterpret_cast<const char*>(&second) + at, 4) == 0 && !g.write(after(g.pointer(2), at), a, 4))
      return Status::Faulted;
  }
  return done(g, end == nullptr ? Pointer{} : after(g.pointer(0), static_cast<uint64_t>(end - text.c_str())));
}

constexpr BuiltinRow kRows[] = {
    {"warn", warn_<false, true>},
    {"warnx", warn_<false, false>},
    {"vwarn", warn_<true, true>},
    {"vwarnx", warn_<true, false>},
    {"err", err_<false, true>},
    {"errx", err_<false, false>},
    {"verr", err_<true, true>},
    {"verrx", err_<true, false>},
    {"error", error_},
    {"syslog", syslog_},
    {"openlog", return_zero},
    {"closelog", return_zero},
    {"uname", uname_},
    {"sched_get_priority_max", priority_limit<99>},
    {"sched_get_priority_min", priority_limit<1>},
    {"__sched_cpucount", cpu_count_},
    {"pthread_getschedparam", get_priority_},
    {"pthread_atfork", return_zero},
    {"strptime", strptime_},
    {"sched_getcpu", return_zero},
    {"feraiseexcept", return_zero},
    {"fesetenv", return_zero},
    {"feupdateenv", return_zero},
};

}  // namespace

std::span<const BuiltinRow> system_rows() { return kRows; }

}  // namespace heddle::machine::models
