#include "server/analysis/hidden_state.h"

#include <algorithm>
#include <array>
#include <bit>
#include <initializer_list>
#include <vector>

namespace heddle::analysis {
namespace {

class Table {
 public:
  Table() {
    time_and_threads();
    process();
    files();
    streams();
    failing();
    join();
  }
  HiddenUse find(std::string_view name) const {
    const auto at = std::lower_bound(rows_.begin(), rows_.end(), name,
                                     [](const HiddenUse& row, std::string_view n) { return row.name < n; });
    return at != rows_.end() && at->name == name ? *at : HiddenUse{};
  }

 private:
  using Names = std::initializer_list<std::string_view>;
  void add(Names names, HiddenStates reads, HiddenStates writes, bool pauses = false) {
    for (std::string_view name : names) rows_.push_back({name, reads, writes, pauses});
  }
  void both(Names names, HiddenStates states) { add(names, states, states); }

  void time_and_threads();
  void process();
  void files();
  void streams();
  void failing();
  void join();

  std::vector<HiddenUse> rows_;
};

void Table::time_and_threads() {
  add({"sleep", "usleep", "nanosleep", "clock_nanosleep", "thrd_sleep"}, 0, kClock | kCancellation, true);
  add({"sched_yield", "pthread_yield", "thrd_yield"}, 0, 0, true);
  add({"pause", "sigsuspend"}, kSignals, kSignals | kCancellation, true);
  add({"time",
       "clock",
       "clock_gettime",
       "gettimeofday",
       "timespec_get",
       "times",
       "getrusage",
       "__heddle_cycles",
       "pthread_cond_timedwait",
       "pthread_cond_clockwait",
       "cnd_timedwait",
       "pthread_mutex_timedlock",
       "pthread_mutex_clocklock",
       "mtx_timedlock",
       "sem_timedwait",
       "sem_clockwait",
       "pthread_rwlock_timedrdlock",
       "pthread_rwlock_timedwrlock",
       "pthread_rwlock_clockrdlock",
       "pthread_rwlock_clockwrlock",
       "sigtimedwait",
       "pthread_timedjoin_np",
       "pthread_clockjoin_np"},
      kClock, kClock);
  both({"rand", "srand", "random", "srandom", "initstate", "setstate"}, kRandom);
  both({"drand48", "lrand48", "mrand48", "srand48", "seed48", "lcong48"}, kRandom);
  add({"pthread_setcancelstate", "pthread_setcanceltype", "pthread_testcancel"}, 0, kCancellation);
  add({"pthread_cancel"}, kCancellation, 0);
  both({"pthread_setspecific", "pthread_getspecific", "pthread_key_create", "pthread_key_delete", "tss_set", "tss_get",
        "tss_create", "tss_delete"},
       kThreadValues);
  both({"sigprocmask", "pthread_sigmask", "raise", "kill", "pthread_kill", "sigwait", "sigwaitinfo", "sigtimedwait",
        "sigpending", "alarm", "setitimer"},
       kSignals);
  add({"signal", "bsd_signal", "sysv_signal", "__sysv_signal", "sigaction"}, kSignals, kSignals);
  both({"pthread_setname_np", "pthread_getname_np", "pthread_setschedparam", "pthread_getschedparam",
        "pthread_setschedprio", "pthread_setaffinity_np", "pthread_getaffinity_np", "sched_setaffinity",
        "sched_getaffinity", "pthread_setconcurrency", "pthread_getconcurrency"},
       kOther);
}

void Table::process() {
  both({"getenv", "secure_getenv", "setenv", "putenv", "unsetenv", "clearenv", "tzset", "localtime", "localtime_r",
        "mktime"},
       kEnvironment);
  both({"fesetround", "fegetround", "fesetenv", "feupdateenv", "fegetenv", "feraiseexcept", "feclearexcept",
        "fetestexcept"},
       kArithmetic);
  add({"rint", "rintf", "rintl", "nearbyint", "nearbyintf", "nearbyintl", "lrint", "lrintf", "lrintl", "llrint",
       "llrintf", "llrintl"},
      kArithmetic, 0);
  both({"setlocale", "localeconv"}, kLocale);
  add({"strcoll", "strxfrm", "isalpha", "isalnum", "isupper", "islower", "toupper", "tolower", "mbtowc", "wctomb",
       "mbrtowc", "wcrtomb", "mbstowcs", "wcstombs"},
      kLocale, 0);
  both({"strtok", "getopt", "getopt_long", "getopt_long_only", "__posix_getopt", "hsearch", "hcreate", "hdestroy",
        "lgamma", "lgammaf", "lgammal", "gamma", "umask", "setrlimit", "getrlimit", "mblen"},
       kOther);
}

void Table::files() {
  add({"open", "open64", "creat", "openat", "mkstemp", "tmpfile", "fopen", "fopen64", "freopen", "opendir", "mkdir"},
      kNames | kDescriptors | kOther, kNames | kDescriptors | kContents | kCancellation);
  add({"close", "heddle.close", "dup", "dup2", "dup3", "heddle.dup", "heddle.dup2", "pipe", "pipe2", "fclose", "fdopen",
       "heddle.fdopen", "closedir", "pclose", "popen", "socket", "fcntl", "fcntl64", "heddle.fcntl"},
      kDescriptors, kDescriptors | kCancellation);
  both({"unlink", "remove", "rename", "link", "symlink", "rmdir", "chdir", "chmod", "fchmodat", "chown", "truncate",
        "truncate64"},
       kNames | kContents);
  add({"access", "stat", "lstat", "fstatat", "readlink", "realpath", "getcwd", "readdir", "readdir64", "statvfs"},
      kNames | kContents | kDescriptors, kDescriptors);
  both({"read", "pread", "pread64", "write", "pwrite", "pwrite64", "heddle.read", "heddle.write", "lseek", "lseek64",
        "ftruncate", "fstat", "mmap", "mmap64", "munmap", "rewinddir"},
       kContents | kDescriptors);
  add({"read", "write", "heddle.read", "heddle.write", "pread", "pwrite"}, 0, kCancellation);
}

void Table::streams() {
  add({"fgetc",
       "getc",
       "_IO_getc",
       "__uflow",
       "getchar",
       "getchar_unlocked",
       "getc_unlocked",
       "fgetc_unlocked",
       "ungetc",
       "fgets",
       "fgets_unlocked",
       "__fgets_chk",
       "fread",
       "fread_unlocked",
       "__fread_chk",
       "fscanf",
       "vfscanf",
       "__isoc99_fscanf",
       "__isoc23_fscanf",
       "scanf",
       "__isoc99_scanf",
       "__isoc23_scanf",
       "getline",
       "getdelim",
       "__getdelim",
       "fgetwc",
       "getwc",
       "fgetws",
       "getwchar",
       "ungetwc",
       "fseek",
       "fseeko",
       "fseeko64",
       "rewind",
       "ftell",
       "ftello",
       "ftello64",
       "fgetpos",
       "fsetpos",
       "feof",
       "ferror",
       "feof_unlocked",
       "ferror_unlocked",
       "clearerr",
       "clearerr_unlocked"},
      kContents | kDescriptors, kContents);
  add({"fputc", "putc", "_IO_putc", "fputs", "fputs_unlocked", "fwrite", "fwrite_unlocked", "fprintf", "vfprintf",
       "__fprintf_chk", "__vfprintf_chk", "dprintf", "vdprintf", "fputwc", "fputws", "fwprintf", "fflush",
       "fflush_unlocked"},
      kDescriptors, kContents);
  both({"flockfile", "funlockfile", "ftrylockfile"}, kOther);
}

// What sets errno, and what looks at it.
void Table::failing() {
  add({"__errno_location", "perror", "err", "warn"}, kError, 0);
  add({"open",
       "open64",
       "creat",
       "close",
       "read",
       "write",
       "heddle.close",
       "heddle.read",
       "heddle.write",
       "lseek",
       "unlink",
       "rename",
       "mkdir",
       "rmdir",
       "access",
       "stat",
       "lstat",
       "fstat",
       "opendir",
       "fopen",
       "fopen64",
       "fdopen",
       "fclose",
       "fseek",
       "pipe",
       "dup",
       "dup2",
       "fcntl",
       "truncate",
       "ftruncate",
       "chdir",
       "readlink",
       "realpath",
       "kill",
       "sem_wait",
       "sem_trywait",
       "sem_timedwait",
       "nanosleep",
       "strtol",
       "strtoul",
       "strtoll",
       "strtoull",
       "strtod",
       "strtof",
       "strtold",
       "__isoc23_strtol",
       "__isoc23_strtoul",
       "__isoc23_strtoll",
       "__isoc23_strtoull",
       "strtoimax",
       "strtoumax",
       "setenv",
       "putenv",
       "unsetenv",
       "log",
       "sqrt",
       "pow",
       "exp",
       "acos",
       "asin",
       "sigaction",
       "sigprocmask"},
      0, kError);
}

// A row for each name.
void Table::join() {
  std::stable_sort(rows_.begin(), rows_.end(), [](const auto& x, const auto& y) { return x.name < y.name; });
  std::vector<HiddenUse> joined;
  for (const HiddenUse& row : rows_) {
    if (joined.empty() || joined.back().name != row.name) joined.push_back({row.name, 0, 0, false});
    joined.back().reads |= row.reads;
    joined.back().writes |= row.writes;
    joined.back().pauses |= row.pauses;
  }
  rows_ = std::move(joined);
}

}  // namespace

HiddenUse hidden_use(std::string_view name) {
  static const Table table;
  return table.find(name);
}

std::string_view name_of_hidden(HiddenStates state) {
  static constexpr std::array<std::string_view, kHiddenStates> kNamesOf = {"the clock",
                                                                           "random numbers",
                                                                           "requests to cancel",
                                                                           "signals",
                                                                           "thread-specific values",
                                                                           "the environment",
                                                                           "errno",
                                                                           "the contents of files",
                                                                           "the names of files",
                                                                           "descriptors and streams",
                                                                           "floating-point modes",
                                                                           "the locale",
                                                                           "the library's own state",
                                                                           "the exit handlers",
                                                                           "the names of threads"};
  const auto bit = static_cast<size_t>(std::countr_zero(state));
  return bit < kNamesOf.size() ? kNamesOf[bit] : "";
}

}  // namespace heddle::analysis
