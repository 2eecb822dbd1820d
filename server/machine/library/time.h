// The calendar without the host's time zone files.
//
// In:      seconds since 1970-01-01 00:00:00 UTC, or broken-down time.
// Out:     the other of the two, or text as strftime makes it; always UTC.
// Owns:    nothing.
// Threads: pure functions.
// Fails:   never.
// From:    ISO C17 7.27; the algorithm for days is Howard Hinnant's.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace heddle::machine::models {

// glibc's struct tm. Time zone: always UTC.
struct CalendarTime {
  int32_t second = 0, minute = 0, hour = 0, day = 1, month = 0, year = 0, weekday = 0, yearday = 0, summer = 0;
  int32_t unused = 0;
  int64_t offset = 0;
  uint64_t zone = 0;  // guest address of its name

  static constexpr uint32_t kGivenBytes = 24;  // mktime reads second .. year
  static constexpr uint32_t kShownBytes = 32;  // strftime reads these
};
static_assert(sizeof(CalendarTime) == 56);

int64_t days_from_civil(int64_t year, int64_t month, int64_t day);
CalendarTime calendar_time(int64_t seconds);
int64_t seconds_of(const CalendarTime& t);
void format_time(const CalendarTime& t, std::string_view format, std::string& out);

}  // namespace heddle::machine::models
