// time.h, sys/time.h, sys/times.h and sys/resource.h.
#include "server/library/tables.h"

namespace heddle::library {
namespace {

constexpr Function kRows[] = {
    {"__heddle_cycles", Model, nothing, hidden(kClock), ReadsClock},
    {"asctime", Text, allocates.reading(at(0)), in("posix")},
    {"asctime_r", Model, writes(at(1)).reading(at(0)).returning_inside(1)},
    {"clock", Model, nothing, hidden(kClock), ReadsClock},
    {"clock_getres", Model, writes(at(0, 1)), hidden(0, kError)},
    {"clock_gettime", Model, writes(at(0, 1)), hidden(kClock, kClock | kError), ReadsClock},
    {"clock_nanosleep", Model, writes(at(3)).reading(at(2)), hidden(0, kClock | kCancellation), Pauses},
    {"ctime", Text, allocates.reading(at(0)), in("posix")},
    {"ctime_r", Model, writes(at(1)).reading(at(0)).returning_inside(1),
     variables(kEnviron, kTimezone | kDaylight | kTzname)},
    {"difftime", Model, nothing},
    {"getitimer", Text, writes(at(1)), hidden(kSignals), in("timers")},
    {"getrlimit", Model, writes(at(1)), hidden(kOther, kError), looks_at(kProperties)},
    {"getrusage", Model, writes(at(0, 1)), hidden(kClock), ReadsClock},
    {"gettimeofday", Model, writes(at(0, 1)), hidden(kClock), ReadsClock},
    {"gmtime", Text, allocates.reading(at(0)), in("posix")},
    {"gmtime_r", Model, writes(at(1)).reading(at(0)).returning_inside(1), hidden(0, kError)},
    {"localtime", Text, allocates.reading(at(0)), hidden(kEnvironment), in("posix")},
    {"localtime_r", Model, writes(at(1)).reading(at(0)).returning_inside(1),
     hidden(kEnvironment, kEnvironment | kError), variables(kEnviron, kTimezone | kDaylight | kTzname)},
    {"mktime", Model, writes(at(0)).reading(at(0)), hidden(kEnvironment),
     variables(kEnviron, kTimezone | kDaylight | kTzname)},
    {"nanosleep", Model, writes(at(1)).reading(at(0)), hidden(0, kClock | kCancellation | kError), Pauses},
    {"setitimer", Text, writes(at(2)).reading(at(1)), hidden(kSignals), in("timers")},
    {"setrlimit", Model, reads(at(1)), hidden(kOther, kOther | kError), changes(kProperties)},
    {"strftime", Model, writes(at(0)).reading(at(2, 3)),
     variables(kEnviron | kTheLocale, kTimezone | kDaylight | kTzname)},
    {"strptime", Model, writes(at(2)).reading(at(0, 1)).returning_inside(0), variables(kTheLocale)},
    {"time", Model, writes(at(0)), hidden(kClock), ReadsClock},
    {"timegm", Model, writes(at(0)).reading(at(0))},
    {"timelocal", Model, writes(at(0)).reading(at(0)), variables(kEnviron, kTimezone | kDaylight | kTzname)},
    {"times", Model, writes(at(0)), hidden(kClock), ReadsClock},
    {"timespec_get", Model, writes(at(0, 1)), hidden(kClock), ReadsClock},
    {"tzset", Model, nothing, hidden(kEnvironment), variables(kEnviron, kTimezone | kDaylight | kTzname)},
    {"utimes", Model, reads(kAll), hidden(kContents | kNames, kContents | kNames | kError), changes(kFiles)},
};
static_assert(sorted(kRows));

}  // namespace

std::span<const Function> time_functions() { return kRows; }

}  // namespace heddle::library
