// time.h and sys/time.h: deterministic. The clock starts at 2026-01-01 00:00:00 UTC and advances by Guest::next_tick;
// the local time zone is UTC. Sleeping belongs to the machine's core.
#include <ctime>

#include <array>
#include <cerrno>
#include <cstring>

#include "server/machine/library/support.h"
#include "server/machine/library/time.h"
#include "server/machine/sync/time.h"

namespace heddle::machine {
namespace models {

int64_t days_from_civil(int64_t year, int64_t month, int64_t day) {  // month 1..12; days since 1970-01-01
  year -= month <= 2;
  const int64_t era = (year >= 0 ? year : year - 399) / 400;
  const int64_t year_of_era = year - era * 400;
  const int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719468;
}

CalendarTime calendar_time(int64_t seconds) {
  int64_t days = seconds / 86400, rest = seconds % 86400;
  if (rest < 0) {
    rest += 86400;
    days--;
  }
  const int64_t shifted = days + 719468;
  const int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
  const int64_t day_of_era = shifted - era * 146097;
  const int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);  // from March
  const int64_t month_index = (5 * day_of_year + 2) / 153;
  const int64_t month = month_index + (month_index < 10 ? 3 : -9);
  const int64_t year = year_of_era + era * 400 + (month <= 2);
  CalendarTime t;
  t.second = static_cast<int32_t>(rest % 60);
  t.minute = static_cast<int32_t>(rest / 60 % 60);
  t.hour = static_cast<int32_t>(rest / 3600);
  t.day = static_cast<int32_t>(day_of_year - (153 * month_index + 2) / 5 + 1);
  t.month = static_cast<int32_t>(month - 1);
  t.year = static_cast<int32_t>(year - 1900);
  t.weekday = static_cast<int32_t>(((days + 4) % 7 + 7) % 7);
  t.yearday = static_cast<int32_t>(days - days_from_civil(year, 1, 1));
  return t;
}

int64_t seconds_of(const CalendarTime& t) {
  int64_t year = int64_t{t.year} + 1900 + t.month / 12, month = t.month % 12;
  if (month < 0) {
    month += 12;
    year--;
  }
  return (days_from_civil(year, month + 1, 1) + t.day - 1) * 86400 + int64_t{t.hour} * 3600 + int64_t{t.minute} * 60 +
         t.second;
}

namespace {

constexpr uint64_t kEpoch = kEpochSeconds, kBillion = 1'000'000'000;

struct TimePair {
  int64_t seconds, rest;
};

TimePair now(Guest& g, bool wall_clock) {
  const uint64_t nanoseconds = g.next_tick();
  return {static_cast<int64_t>(nanoseconds / kBillion + (wall_clock ? kEpoch : 0)),
          static_cast<int64_t>(nanoseconds % kBillion)};
}

bool store_time(Guest& g, Pointer to, CalendarTime t) {
  t.zone = g.constant_string("GMT").bits;
  return store(g, to, t);
}

Status time_(Guest& g) {
  const int64_t seconds = now(g, true).seconds;
  if (g.pointer(0).bits != 0 && !store(g, g.pointer(0), seconds)) return Status::Faulted;
  return done(g, static_cast<uint64_t>(seconds));
}

Status cycles_(Guest& g) { return done(g, g.next_tick()); }
// __builtin_cpu_init: the variables it fills are there from the start (library.cc).
Status cpu_init_(Guest& g) { return done_int(g, 0); }

Status clock_(Guest& g) { return done(g, g.next_tick() / 1000); }

bool is_wall_clock(int32_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE || clock == CLOCK_TAI;
}

bool is_clock(int32_t clock) { return clock >= 0 && clock <= CLOCK_TAI; }

Status clock_gettime_(Guest& g) {
  const int32_t clock = g.int_argument(0);
  if (!is_clock(clock)) return failed(g, EINVAL);
  if (!store(g, g.pointer(1), now(g, is_wall_clock(clock)))) return Status::Faulted;
  return done_int(g, 0);
}

Status clock_getres_(Guest& g) {
  if (!is_clock(g.int_argument(0))) return failed(g, EINVAL);
  if (g.pointer(1).bits != 0 && !store(g, g.pointer(1), TimePair{0, 1})) return Status::Faulted;
  return done_int(g, 0);
}

Status timespec_get_(Guest& g) {
  if (g.int_argument(1) != TIME_UTC) return done_int(g, 0);
  if (!store(g, g.pointer(0), now(g, true))) return Status::Faulted;
  return done_int(g, TIME_UTC);
}

Status gettimeofday_(Guest& g) {
  TimePair t = now(g, true);
  t.rest /= 1000;
  if (!store(g, g.pointer(0), t)) return Status::Faulted;
  return done_int(g, 0);
}

Status times_(Guest& g) {
  const uint64_t ticks = g.next_tick() / 10'000'000;
  const std::array<uint64_t, 4> all = {ticks, 0, 0, 0};
  if (g.pointer(0).bits != 0 && !store(g, g.pointer(0), all)) return Status::Faulted;
  return done(g, ticks);
}

Status getrusage_(Guest& g) {
  struct Usage {
    TimePair user, system;
    int64_t other[14];
  } usage = {};
  usage.user = now(g, false);
  usage.user.rest /= 1000;
  if (!store(g, g.pointer(1), usage)) return Status::Faulted;
  return done_int(g, 0);
}

Status break_down(Guest& g, Pointer to) {
  int64_t seconds;
  if (!load(g, g.pointer(0), seconds)) return Status::Faulted;
  if (seconds > int64_t{67767976233532799} || seconds < int64_t{-67768040609740800}) return failed_null(g, EOVERFLOW);
  if (!store_time(g, to, calendar_time(seconds))) return Status::Faulted;
  return done(g, to);
}
// Per thread; programs get those of server/frontend/support/posix.cc, which have one object per process.
Status gmtime_(Guest& g) { return break_down(g, g.thread_object("heddle.tm", sizeof(CalendarTime))); }
Status gmtime_r_(Guest& g) { return break_down(g, g.pointer(1)); }

// Each member decides. timegm() does not look at tm_isdst.
template <bool local>
Status mktime_(Guest& g) {
  CalendarTime t;
  constexpr uint32_t kMember = 4, kSummerAt = offsetof(CalendarTime, summer);
  for (uint32_t at = 0; at < CalendarTime::kGivenBytes; at += kMember)
    if (!g.read(after(g.pointer(0), at), reinterpret_cast<char*>(&t) + at, kMember)) return Status::Faulted;
  if (local && !load(g, after(g.pointer(0), kSummerAt), t.summer)) return Status::Faulted;
  const int64_t seconds = seconds_of(t);
  if (!store_time(g, g.pointer(0), calendar_time(seconds))) return Status::Faulted;
  return done(g, static_cast<uint64_t>(seconds));
}

Status difftime_(Guest& g) {
  g.result_double(static_cast<double>(static_cast<int64_t>(g.argument(0))) -
                  static_cast<double>(static_cast<int64_t>(g.argument(1))));
  return Status::Done;
}

bool read_time(Guest& g, Pointer from, CalendarTime& t) { return g.read(from, &t, CalendarTime::kShownBytes); }

Status strftime_(Guest& g) {
  std::string format, out;
  CalendarTime t;
  if (!g.read_string(g.pointer(2), format) || !read_time(g, g.pointer(3), t)) return Status::Faulted;
  format_time(t, format, out);
  if (out.size() >= g.argument(1)) return done(g, uint64_t{0});
  if (!g.write_string(g.pointer(0), out)) return Status::Faulted;
  return done(g, uint64_t{out.size()});
}

Status give_text(Guest& g, const CalendarTime& t, Pointer to) {
  std::string out;
  format_time(t, "%a %b %e %H:%M:%S %Y\n", out);
  if (!g.write_string(to, out)) return Status::Faulted;
  return done(g, to);
}
Pointer text_buffer(Guest& g) { return g.thread_object("heddle.asctime", 128); }
Status asctime_to(Guest& g, Pointer to) {
  CalendarTime t;
  return read_time(g, g.pointer(0), t) ? give_text(g, t, to) : Status::Faulted;
}
Status ctime_to(Guest& g, Pointer to) {
  int64_t seconds;
  return load(g, g.pointer(0), seconds) ? give_text(g, calendar_time(seconds), to) : Status::Faulted;
}
Status asctime_(Guest& g) { return asctime_to(g, text_buffer(g)); }
Status asctime_r_(Guest& g) { return asctime_to(g, g.pointer(1)); }
Status ctime_(Guest& g) { return ctime_to(g, text_buffer(g)); }
Status ctime_r_(Guest& g) { return ctime_to(g, g.pointer(1)); }

Status tzset_(Guest& g) {
  const uint64_t zone = g.constant_string("UTC").bits;
  return done_if(store(g, g.process_object("tzname", 16), std::array<uint64_t, 2>{zone, zone}));
}

constexpr BuiltinRow kRows[] = {
    {"time", time_},
    {"clock", clock_},
    {"__heddle_cycles", cycles_},
    {"__cpu_indicator_init", cpu_init_},
    {"clock_gettime", clock_gettime_},
    {"clock_getres", clock_getres_},
    {"timespec_get", timespec_get_},
    {"gettimeofday", gettimeofday_},
    {"times", times_},
    {"getrusage", getrusage_},
    {"gmtime", gmtime_},
    {"localtime", gmtime_},
    {"gmtime_r", gmtime_r_},
    {"localtime_r", gmtime_r_},
    {"mktime", mktime_<true>},
    {"timegm", mktime_<false>},
    {"timelocal", mktime_<true>},
    {"difftime", difftime_},
    {"strftime", strftime_},
    {"asctime", asctime_},
    {"asctime_r", asctime_r_},
    {"ctime", ctime_},
    {"ctime_r", ctime_r_},
    {"tzset", tzset_},
};

}  // namespace
}  // namespace models

std::span<const BuiltinRow> time_builtins() { return models::kRows; }

}  // namespace heddle::machine
