#include "server/analysis/library_table.h"

namespace heddle::analysis {
void LibraryTable::memory_and_strings() {
  allocates({"malloc", "calloc", "aligned_alloc", "memalign", "valloc", "pvalloc"});
  allocates({"strdup", "__strdup"}, bit(0));
  allocates({"strndup", "__strndup"}, bit(0));
  add({"realloc", "reallocarray"},
      {.effect = Effect::Reallocates, .interaction = Kind::Free, .object_argument = 0, .returns = 0});
  add({"free", "cfree"}, {.effect = Effect::Frees, .interaction = Kind::Free, .object_argument = 0});
  add({"posix_memalign"}, {.effect = Effect::Allocates, .writes = bit(0), .stores_at = 0});
  plain({"malloc_usable_size", "malloc_trim", "mallopt"});
  add({"memcpy", "memmove", "mempcpy", "__memcpy_chk", "__memmove_chk"},
      {.effect = Effect::WritesFirst, .reads = bit(1), .writes = bit(0), .returns = 0, .copies = true});
  add({"bcopy"}, {.effect = Effect::WritesArguments, .reads = bit(0), .writes = bit(1)});
  writes({"memset", "explicit_bzero", "bzero", "__memset_chk"}, bit(0), 0, 0);
  writes({"strcpy", "strncpy", "strcat", "strncat", "stpcpy", "stpncpy", "memccpy", "__strcpy_chk", "__strncpy_chk",
          "__strcat_chk", "__strncat_chk", "__stpcpy_chk"},
         bit(0), bit(0) | bit(1), 0);
  writes({"strlcpy", "strlcat", "strxfrm", "swab"}, bit(0), bit(1));
  reads({"strlen", "strnlen", "memcmp", "bcmp", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll", "strspn",
         "strcspn", "strverscmp"});
  searches({"strchr", "strrchr", "strchrnul", "index", "rindex", "memchr", "memrchr", "rawmemchr", "wmemchr"}, 0,
           bit(0));
  searches({"strstr", "strcasestr", "strpbrk", "memmem"}, 0, from(0));
  add({"strtok"}, {.effect = Effect::WritesFirst, .reads = bit(0) | bit(1), .writes = bit(0), .returns = 0});
  add({"strtok_r", "__strtok_r"}, {.effect = Effect::WritesArguments,
                                   .reads = from(0),
                                   .writes = bit(0) | bit(2),
                                   .returns = 0,
                                   .stores_at = 2,
                                   .stores_from = 0});
  add({"strsep"}, {.effect = Effect::WritesArguments, .reads = from(0), .writes = bit(0)});
  allocates({"strerror", "strsignal"});
  writes({"strerror_r", "__xpg_strerror_r"}, bit(1), 0, 1);
  plain({"ffs",      "ffsl",    "ffsll",   "isalnum", "isalpha", "isblank",  "iscntrl",
         "isdigit",  "isgraph", "islower", "isprint", "ispunct", "isspace",  "isupper",
         "isxdigit", "isascii", "toascii", "tolower", "toupper", "_tolower", "_toupper"});
  allocates({"__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc"});
  add({"__mempcpy", "__mempcpy_chk"},
      {.effect = Effect::WritesArguments, .reads = bit(1), .writes = bit(0), .returns = 0, .copies = true});
  writes({"explicit_memset"}, bit(0), 0, 0);
  writes({"__explicit_bzero_chk", "arc4random_buf", "getentropy"}, bit(0), 0);
  writes({"__strlcpy_chk", "__strlcat_chk"}, bit(0), bit(0) | bit(1));
  add({"__stpcpy", "__stpncpy_chk"},
      {.effect = Effect::WritesArguments, .reads = bit(1), .writes = bit(0), .returns = 0});
  reads({"__memcmpeq", "fnmatch"});
  searches({"__rawmemchr", "basename"}, 0, bit(0));
  add({"__xpg_basename", "dirname"},
      {.effect = Effect::WritesArguments, .reads = bit(0), .writes = bit(0), .returns = 0});
  add({"wmemcpy", "wmemmove"},
      {.effect = Effect::WritesFirst, .reads = bit(1), .writes = bit(0), .returns = 0, .copies = true});
  writes({"wcscpy", "wcsncpy", "wcscat", "wmemset"}, bit(0), bit(0) | bit(1), 0);
  reads({"wcslen", "wcsnlen", "wcscmp", "wcscoll", "wcsncmp", "wmemcmp"});
  searches({"wcschr", "wcsrchr"}, 0, bit(0));
  plain({"iswalpha", "iswdigit", "iswalnum", "iswspace", "iswupper", "iswlower", "iswprint", "iswxdigit", "iswblank",
         "iswgraph", "iswpunct", "iswcntrl", "iswctype", "towctrans", "towlower", "towupper", "btowc", "wctob"});
  reads({"wctype", "wctrans"}, bit(0));
  writes({"mbtowc", "mbstowcs", "wcstombs"}, bit(0), bit(1));
  writes({"wctomb"}, bit(0), 0);
  wide_characters();
}

void LibraryTable::wide_characters() {
  plain({"fputwc", "putwc", "putwchar", "fgetwc", "getwc", "getwchar", "ungetwc", "fwide"});
  reads({"fputws"}, bit(0));
  writes({"fgetws"}, bit(0), 0, 0);
  reads({"wprintf", "vwprintf", "wcsspn", "wcscspn", "mbsinit"});
  reads({"fwprintf", "vfwprintf"}, from(1));
  writes({"swprintf", "vswprintf"}, bit(0), from(1));
  writes({"swscanf", "vswscanf", "__isoc99_swscanf", "__isoc99_vswscanf", "__isoc23_swscanf", "__isoc23_vswscanf"},
         from(2), bit(0) | bit(1));
  add({"wcstol", "wcstoll", "wcstoul", "wcstoull", "wcstod", "wcstof", "wcstold", "__isoc23_wcstol", "__isoc23_wcstoll",
       "__isoc23_wcstoul", "__isoc23_wcstoull"},
      {.effect = Effect::WritesArguments, .reads = bit(0), .writes = bit(1), .stores_at = 1, .stores_from = 0});
  searches({"wcspbrk", "wcsstr"}, 0, from(0));
  add({"wcstok"}, {.effect = Effect::WritesArguments,
                   .reads = from(0),
                   .writes = bit(0) | bit(2),
                   .returns = 0,
                   .stores_at = 2,
                   .stores_from = 0});
  writes({"wcsncat"}, bit(0), bit(0) | bit(1), 0);
  allocates({"wcsdup"}, bit(0));
  writes({"mbrtowc"}, bit(0) | bit(3), bit(1) | bit(3));
  writes({"wcrtomb"}, bit(0) | bit(2), bit(2));
  reads({"mbrlen"}, bit(0));
  add({"mbsrtowcs", "wcsrtombs", "mbsnrtowcs", "wcsnrtombs"}, {.effect = Effect::WritesArguments,
                                                               .reads = from(1),
                                                               .writes = bit(0) | bit(1),
                                                               .stores_at = 1,
                                                               .stores_from = 1});
}

void LibraryTable::directories() {
  reads({"truncate", "truncate64", "chmod", "chown", "utime", "utimes", "utimensat", "fchmodat", "link", "symlink"});
  writes({"readlink"}, bit(1), bit(0));
  writes({"statvfs", "statvfs64"}, bit(1), bit(0));
  writes({"fstatat"}, bit(2), bit(1));
  add({"realpath"}, {.effect = Effect::Allocates, .reads = bit(0), .writes = bit(1), .returns = 1});
  allocates({"opendir"}, bit(0));
  writes({"readdir", "readdir64"}, bit(0), bit(0), 0);
  writes({"rewinddir"}, bit(0), bit(0));
  add({"closedir"}, {.effect = Effect::Frees, .interaction = Kind::Free, .object_argument = 0});
}

void LibraryTable::standard_library() {
  plain({"abs", "labs", "llabs", "imaxabs", "div", "ldiv", "lldiv", "rand", "srand", "random", "srandom", "arc4random",
         "arc4random_uniform"});
  reads({"mblen"}, bit(0));
  writes({"rand_r"}, bit(0), bit(0));
  reads({"atoi", "atol", "atoll", "atof", "system", "unsetenv", "setenv", "putenv"});
  plain({"clearenv"});
  add({"strtol", "strtoul", "strtoll", "strtoull", "strtod", "strtof", "strtold", "strtoimax", "strtoumax",
       "__isoc23_strtol", "__isoc23_strtoul", "__isoc23_strtoll", "__isoc23_strtoull"},
      {.effect = Effect::WritesArguments, .reads = bit(0), .writes = bit(1), .stores_at = 1, .stores_from = 0});
  allocates({"getenv", "secure_getenv", "setlocale", "localeconv"}, bit(0));
  allocates({"nl_langinfo", "ttyname"});
  add({"qsort"}, {.effect = Effect::CallsBack, .callback = 3, .reads = bit(0), .writes = bit(0)});
  add({"qsort_r"}, {.effect = Effect::CallsBack, .callback = 3, .callback_data = 4, .reads = bit(0), .writes = bit(0)});
  add({"bsearch"}, {.effect = Effect::CallsBack, .callback = 4, .reads = bit(0) | bit(1), .returns = 1});
  add({"lfind", "lsearch"},
      {.effect = Effect::CallsBack, .callback = 4, .reads = bit(0) | bit(1) | bit(2), .returns = 1});
  add({"atexit", "at_quick_exit"}, {.effect = Effect::CallsBack, .callback = 0});
  add({"on_exit"}, {.effect = Effect::CallsBack, .callback = 0, .callback_data = 1});
  add({"__cxa_atexit"}, {.effect = Effect::CallsBack, .callback = 0, .callback_data = 1});
  ends({"exit", "_exit", "_Exit", "quick_exit"}, false);
  ends({"abort", "__assert_fail", "__assert", "__assert_perror_fail", "__stack_chk_fail", "__chk_fail",
        "__fortify_fail", "__heddle_check_failed"},
       true);
  plain({"imaxdiv"});
  writes({"erand48", "nrand48", "jrand48"}, bit(0), bit(0));
  add({"strtoq", "strtouq", "__strtol_internal", "__strtoul_internal", "__isoc23_strtoimax", "__isoc23_strtoumax"},
      {.effect = Effect::WritesArguments, .reads = bit(0), .writes = bit(1), .stores_at = 1, .stores_from = 0});
}

void LibraryTable::standard_streams() {
  // Streams lock themselves, so a FILE argument is no access of the program's memory.
  reads({"printf", "vprintf", "puts", "perror", "__printf_chk", "__vprintf_chk"});
  reads({"fprintf", "vfprintf", "dprintf", "vdprintf", "__fprintf_chk", "__vfprintf_chk", "syslog"}, from(1));
  reads({"fputs", "fputs_unlocked", "fwrite", "fwrite_unlocked"}, bit(0));
  plain({"putchar",     "putc",    "fputc",      "putchar_unlocked", "putc_unlocked", "fputc_unlocked",
         "getchar",     "getc",    "fgetc",      "getchar_unlocked", "ungetc",        "fflush",
         "fclose",      "feof",    "ferror",     "clearerr",         "fileno",        "fseek",
         "ftell",       "rewind",  "fseeko",     "ftello",           "fseeko64",      "ftello64",
         "setbuf",      "setvbuf", "setlinebuf", "pclose",           "flockfile",     "funlockfile",
         "ftrylockfile"});
  writes({"sprintf", "snprintf", "vsprintf", "vsnprintf", "__sprintf_chk", "__snprintf_chk", "__vsprintf_chk",
          "__vsnprintf_chk"},
         bit(0), from(1));
  add({"asprintf", "vasprintf"}, {.effect = Effect::Allocates, .reads = from(1), .writes = bit(0), .stores_at = 0});
  writes({"scanf", "vscanf", "__isoc99_scanf", "__isoc23_scanf"}, from(1), bit(0));
  writes({"fscanf", "vfscanf", "__isoc99_fscanf", "__isoc23_fscanf"}, from(2), bit(1));
  writes({"sscanf", "vsscanf", "__isoc99_sscanf", "__isoc23_sscanf"}, from(2), bit(0) | bit(1));
  writes({"fgets", "gets", "fgets_unlocked"}, bit(0), 0, 0);
  writes({"fread", "fread_unlocked"}, bit(0), 0);
  add({"getline", "getdelim"},
      {.effect = Effect::Allocates, .reads = bit(0) | bit(1), .writes = bit(0) | bit(1), .stores_at = 0});
  allocates({"fopen", "fdopen", "heddle.fdopen", "freopen", "tmpfile", "popen", "fmemopen", "fopen64"},
            bit(0) | bit(1));
  reads({"remove", "rename", "unlink", "access", "mkdir", "rmdir", "chdir", "open", "open64", "creat"});
  writes({"fgetpos"}, bit(1), 0);
  reads({"fsetpos"}, bit(1));
  plain({"_IO_getc", "_IO_putc", "__uflow", "__overflow", "fgetc_unlocked", "getc_unlocked", "feof_unlocked",
         "ferror_unlocked", "clearerr_unlocked", "fflush_unlocked", "fileno_unlocked", "setbuffer"});
  reads({"__dprintf_chk", "__vdprintf_chk"}, from(1));
  add({"__asprintf", "__asprintf_chk", "__vasprintf_chk"},
      {.effect = Effect::Allocates, .reads = from(1), .writes = bit(0), .stores_at = 0});
  add({"__getdelim"},
      {.effect = Effect::Allocates, .reads = bit(0) | bit(1), .writes = bit(0) | bit(1), .stores_at = 0});
  add({"open_memstream"}, {.effect = Effect::Allocates, .writes = bit(0) | bit(1), .stores_at = 0});
  writes({"__fgets_chk", "__fgets_unlocked_chk"}, bit(0), 0, 0);
  writes({"__fread_chk", "__fread_unlocked_chk"}, bit(0), 0);
  writes({"__isoc99_vscanf", "__isoc23_vscanf"}, from(1), bit(0));
  writes({"__isoc99_vfscanf", "__isoc23_vfscanf"}, from(2), bit(1));
  writes({"__isoc99_vsscanf", "__isoc23_vsscanf"}, from(2), bit(0) | bit(1));
  allocates({"tmpnam"});
  writes({"mkstemp"}, bit(0), bit(0));
}

void LibraryTable::mathematics() {
  plain({"acos",
         "asin",
         "atan",
         "atan2",
         "ceil",
         "cos",
         "cosh",
         "exp",
         "exp2",
         "exp10",
         "expm1",
         "fabs",
         "floor",
         "fmod",
         "hypot",
         "ldexp",
         "log",
         "log10",
         "log1p",
         "log2",
         "pow",
         "round",
         "lround",
         "llround",
         "rint",
         "lrint",
         "llrint",
         "nearbyint",
         "sin",
         "sinh",
         "sqrt",
         "cbrt",
         "tan",
         "tanh",
         "trunc",
         "acosh",
         "asinh",
         "atanh",
         "erf",
         "erfc",
         "fdim",
         "fma",
         "fmax",
         "fmin",
         "ilogb",
         "logb",
         "lgamma",
         "tgamma",
         "nextafter",
         "remainder",
         "scalbn",
         "scalbln",
         "copysign",
         "nan",
         "isnan",
         "isinf",
         "finite",
         "__isnan",
         "__isinf",
         "__finite",
         "__fpclassify",
         "__signbit",
         "roundeven",
         "gamma",
         "j0",
         "j1",
         "y0",
         "y1",
         "acosf",
         "asinf",
         "atanf",
         "atan2f",
         "ceilf",
         "cosf",
         "coshf",
         "expf",
         "exp2f",
         "fabsf",
         "floorf",
         "fmodf",
         "hypotf",
         "ldexpf",
         "logf",
         "log10f",
         "log2f",
         "powf",
         "roundf",
         "lroundf",
         "rintf",
         "sinf",
         "sinhf",
         "sqrtf",
         "cbrtf",
         "tanf",
         "tanhf",
         "truncf",
         "fmaf",
         "fmaxf",
         "fminf",
         "copysignf",
         "fdimf",
         "nearbyintf",
         "expm1f",
         "log1pf",
         "fabsl",
         "sqrtl",
         "floorl",
         "ceill",
         "powl",
         "fmodl",
         "roundl",
         "truncl",
         "sinl",
         "cosl",
         "expl",
         "logl",
         "__isnanf",
         "__isinff",
         "__finitef",
         "__signbitf",
         "__fpclassifyf",
         "isnanf",
         "isinff",
         "finitef"});
  writes({"frexp", "modf", "frexpf", "modff", "frexpl", "modfl"}, bit(1), 0);
  writes({"sincos", "sincosf", "remquo"}, bit(1) | bit(2), 0);
  plain({"acoshf",       "acoshl",        "acosl",      "asinhf",     "asinhl",
         "asinl",        "atan2l",        "atanhf",     "atanhl",     "atanl",
         "cbrtl",        "copysignl",     "coshl",      "drem",       "erfcf",
         "erfcl",        "erff",          "erfl",       "exp10f",     "exp10l",
         "exp2l",        "expm1l",        "fdiml",      "fegetround", "fesetround",
         "fetestexcept", "feclearexcept", "finitel",    "__finitel",  "__fpclassifyl",
         "__isinfl",     "__isnanl",      "__signbitl", "fmal",       "fmaxl",
         "fminl",        "hypotl",        "ilogbf",     "ilogbl",     "isinfl",
         "isnanl",       "j0f",           "j0l",        "j1f",        "j1l",
         "jn",           "jnf",           "jnl",        "ldexpl",     "lgammaf",
         "lgammal",      "llrintf",       "llrintl",    "llroundf",   "llroundl",
         "log10l",       "log1pl",        "log2l",      "logbf",      "logbl",
         "lrintf",       "lrintl",        "lroundl",    "nanf",       "nanl",
         "nearbyintl",   "nextafterf",    "nextafterl", "nexttoward", "nexttowardf",
         "nexttowardl",  "pow10",         "remainderf", "remainderl", "rintl",
         "roundevenf",   "roundevenl",    "scalblnf",   "scalblnl",   "scalbnf",
         "scalbnl",      "sinhl",         "tanhl",      "tanl",       "tgammaf",
         "tgammal",      "y0f",           "y0l",        "y1f",        "y1l",
         "yn",           "ynf",           "ynl"});
  writes({"lgamma_r", "lgammaf_r", "lgammal_r"}, bit(1), 0);
  writes({"sincosl", "remquof", "remquol"}, bit(1) | bit(2), 0);
  plain({"cabs",     "cabsf",    "carg",     "cargf",     "creal",     "crealf",   "cimag",  "cimagf", "conj",
         "conjf",    "cproj",    "cprojf",   "csqrt",     "csqrtf",    "cexp",     "cexpf",  "clog",   "clogf",
         "csin",     "csinf",    "ccos",     "ccosf",     "ctan",      "ctanf",    "casin",  "casinf", "cacos",
         "cacosf",   "catan",    "catanf",   "csinh",     "csinhf",    "ccosh",    "ccoshf", "ctanh",  "ctanhf",
         "casinh",   "casinhf",  "cacosh",   "cacoshf",   "catanh",    "catanhf",  "cpow",   "cpowf",  "__muldc3",
         "__divdc3", "__mulsc3", "__divsc3", "__powisf2", "__powidf2", "__powixf2"});
}

void LibraryTable::system() {
  writes({"time"}, bit(0), 0);
  plain({"clock",
         "__heddle_cycles",
         "__cpu_indicator_init",
         "difftime",
         "sleep",
         "usleep",
         "sched_yield",
         "getpid",
         "getppid",
         "gettid",
         "getuid",
         "geteuid",
         "getgid",
         "isatty",
         "close",
         "lseek",
         "dup",
         "dup2",
         "dup3",
         "fsync",
         "sysconf",
         "getpagesize",
         "alarm",
         "raise",
         "pause",
         "umask",
         "sched_get_priority_max",
         "sched_get_priority_min",
         "sched_getcpu",
         "get_nprocs",
         "get_nprocs_conf",
         "getpgrp",
         "mlockall",
         "munlockall",
         "tzset"});
  writes({"clock_gettime", "clock_getres", "timespec_get"}, bit(0) | bit(1), 0);
  writes({"nanosleep"}, bit(1), bit(0));
  writes({"clock_nanosleep"}, bit(3), bit(2));
  writes({"gettimeofday"}, bit(0) | bit(1), 0);
  writes({"getrusage", "getrlimit", "getloadavg"}, bit(0) | bit(1), 0);
  reads({"setrlimit", "sched_setaffinity", "setitimer"});
  writes({"sched_getaffinity"}, bit(2), 0);
  writes({"localtime_r", "gmtime_r"}, bit(1), bit(0), 1);
  writes({"asctime_r", "ctime_r"}, bit(1), bit(0), 1);
  allocates({"localtime", "gmtime", "asctime", "ctime"}, bit(0));
  writes({"mktime", "timegm"}, bit(0), bit(0));
  writes({"strftime"}, bit(0), bit(2) | bit(3));
  reads({"write", "heddle.write"}, bit(1));
  plain({"fcntl", "fcntl64", "heddle.fcntl", "heddle.close", "heddle.dup", "heddle.dup2"});
  writes({"read", "heddle.read", "getrandom"}, bit(1) | bit(0), 0);
  writes({"pipe"}, bit(0), 0);
  writes({"getcwd", "gethostname", "uname"}, bit(0), 0, 0);
  writes({"stat", "fstat", "lstat"}, bit(1), bit(0));
  allocates({"__errno_location"});
  writes({"sigemptyset", "sigfillset", "sigaddset", "sigdelset"}, bit(0), bit(0));
  reads({"sigismember"}, bit(0));
  // Who sends a signal runs its handler: Builder::signal_call.
  plain({"signal", "bsd_signal", "sysv_signal", "__sysv_signal"});
  writes({"sigaction"}, bit(2), bit(1));
  writes({"sigaltstack"}, bit(1), bit(0));
  writes({"getopt"}, 0, bit(1) | bit(2));
  reads({"getopt_long", "prctl"}, 0);
  writes({"times"}, bit(0), 0);
  writes({"timelocal"}, bit(0), bit(0));
  plain({"getegid", "fork", "vfork", "socket", "waitpid", "madvise", "mprotect", "mlock", "munlock", "fdatasync",
         "ftruncate", "lseek64"});
  reads({"execv", "execve", "execvp"});
  allocates({"mmap", "mmap64"});
  add({"munmap"}, {.effect = Effect::Frees, .interaction = Kind::Free, .object_argument = 0});
  reads({"pwrite", "pwrite64"}, bit(1));
  writes({"pread", "pread64"}, bit(1), 0);
  writes({"__posix_getopt"}, 0, bit(1) | bit(2));
  reads({"getopt_long_only"}, 0);
  plain({"htons", "ntohs", "htonl", "ntohl"});
  reads({"warn", "warnx", "vwarn", "vwarnx"});
  ends({"err", "errx", "verr", "verrx"}, false);
  reads({"error"}, from(2));
  directories();
  add({"strptime"}, {.effect = Effect::WritesArguments, .reads = bit(0) | bit(1), .writes = bit(2), .returns = 0});
  writes({"pthread_getaffinity_np"}, bit(2), 0);
  writes({"pthread_getschedparam"}, bit(1) | bit(2), 0);
  plain({"pthread_atfork", "pthread_getconcurrency"});
  plain({"openlog", "closelog", "feraiseexcept", "fesetenv", "feupdateenv"});
}

LibraryTable::LibraryTable() {
  memory_and_strings();
  standard_library();
  standard_streams();
  mathematics();
  system();
  threads();
  language();
  std::sort(rows_.begin(), rows_.end(), [](const auto& x, const auto& y) { return x.name < y.name; });
  shared_states();
  variables();
}

const LibraryFunction* find_library_function(std::string_view name) {
  static const LibraryTable table;
  constexpr std::string_view kModelOf = "heddle.";  // in library units that define the function themselves
  const LibraryFunction* const row = table.find(name);
  return row == nullptr && name.starts_with(kModelOf) ? table.find(name.substr(kModelOf.size())) : row;
}

}  // namespace heddle::analysis
