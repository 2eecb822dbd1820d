// The variables of the C library that its functions use without being given them: what a program that names one of them
// may race with. From the safety annotations of the C library's manual (race:, env, locale) and from POSIX.
#include <iterator>

#include "server/analysis/library_table.h"
#include "server/program/select.h"

namespace heddle::analysis {
namespace {

// By its place in kLibraryVariables.
enum Variable : uint8_t {
  Environ,
  Optind,
  Optarg,
  Optopt,
  Opterr,
  Stdin,
  Stdout,
  Stderr,
  Timezone,
  Daylight,
  Tzname,
  Signgam,
  ProgramName,
  ShortName,
  Locale
};
static_assert(Locale + 1 == std::size(kLibraryVariables));

template <typename... Variables>
constexpr uint16_t set(Variables... variables) {
  return static_cast<uint16_t>((0u | ... | (1u << variables)));
}

struct Use {
  VariableUse variables;
  Names names;
};

const Use kUses[] = {
    {{set(Environ), 0}, {"getenv", "secure_getenv", "execv", "execvp", "system", "popen"}},
    {{set(Environ), set(Environ)}, {"setenv", "unsetenv", "putenv", "clearenv"}},
    {{set(Optind, Opterr), set(Optind, Optarg, Optopt)},
     {"getopt", "getopt_long", "getopt_long_only", "__posix_getopt"}},
    {{set(Stdin, Locale), 0},
     {"scanf", "vscanf", "__isoc99_scanf", "__isoc23_scanf", "__isoc99_vscanf", "__isoc23_vscanf", "wscanf", "vwscanf",
      "__isoc99_wscanf", "__isoc99_vwscanf", "__isoc23_wscanf", "__isoc23_vwscanf"}},
    {{set(Stdin), 0}, {"getchar", "getwchar", "gets"}},
    {{set(Stdout, Locale), 0},
     {"printf", "vprintf", "__printf_chk", "__vprintf_chk", "wprintf", "vwprintf", "__wprintf_chk"}},
    {{set(Stdout), 0}, {"puts", "putchar", "putwchar"}},
    {{set(Stderr, Locale), 0}, {"perror"}},
    {{set(Stderr, Locale, ShortName), 0}, {"err", "errx", "warn", "warnx", "verr", "verrx", "vwarn", "vwarnx"}},
    {{set(Stderr, Locale, ProgramName), 0}, {"error"}},
    {{set(Environ), set(Timezone, Daylight, Tzname)}, {"tzset", "localtime_r", "ctime_r", "mktime", "timelocal"}},
    {{set(Environ, Locale), set(Timezone, Daylight, Tzname)}, {"strftime"}},
    {{0, set(Signgam)}, {"lgamma", "lgammaf", "lgammal", "gamma"}},
    {{set(Locale, Environ), set(Locale)}, {"setlocale"}},
    {{set(Locale), 0},
     {"fprintf",
      "vfprintf",
      "dprintf",
      "vdprintf",
      "sprintf",
      "snprintf",
      "vsprintf",
      "vsnprintf",
      "asprintf",
      "vasprintf",
      "__fprintf_chk",
      "__vfprintf_chk",
      "__sprintf_chk",
      "__snprintf_chk",
      "__vsprintf_chk",
      "__vsnprintf_chk",
      "__asprintf_chk",
      "__vasprintf_chk",
      "__dprintf_chk",
      "fwprintf",
      "vfwprintf",
      "swprintf",
      "vswprintf",
      "fscanf",
      "vfscanf",
      "__isoc99_fscanf",
      "__isoc23_fscanf",
      "sscanf",
      "vsscanf",
      "__isoc99_sscanf",
      "__isoc23_sscanf",
      "__isoc99_vsscanf",
      "__isoc23_vsscanf",
      "strtod",
      "strtof",
      "strtold",
      "atof",
      "strtol",
      "strtoul",
      "strtoll",
      "strtoull",
      "__isoc23_strtol",
      "__isoc23_strtoul",
      "__isoc23_strtoll",
      "__isoc23_strtoull",
      "strtoimax",
      "strtoumax",
      "atoi",
      "atol",
      "atoll",
      "isalnum",
      "isalpha",
      "isblank",
      "iscntrl",
      "isdigit",
      "isgraph",
      "islower",
      "isprint",
      "ispunct",
      "isspace",
      "isupper",
      "isxdigit",
      "tolower",
      "toupper",
      "__ctype_b_loc",
      "__ctype_tolower_loc",
      "__ctype_toupper_loc",
      "iswalpha",
      "iswdigit",
      "iswalnum",
      "iswspace",
      "iswupper",
      "iswlower",
      "iswprint",
      "towlower",
      "towupper",
      "strcoll",
      "strxfrm",
      "wcscoll",
      "wcsxfrm",
      "strcasecmp",
      "strncasecmp",
      "strcasestr",
      "strerror",
      "strsignal",
      "strerror_r",
      "__xpg_strerror_r",
      "mblen",
      "mbtowc",
      "wctomb",
      "mbstowcs",
      "wcstombs",
      "mbrtowc",
      "wcrtomb",
      "mbrlen",
      "mbsrtowcs",
      "wcsrtombs",
      "btowc",
      "wctob",
      "fnmatch",
      "strptime",
      "localeconv",
      "nl_langinfo"}},
};

}  // namespace

bool counts_variables(const program::Program& program, FunctionId function) {
  return program.function(function).in_project ||
         program.unit(program.unit_of(function)).path == program::kLibraryState;
}

std::string_view library_variable(std::string_view name) {
  if (name.starts_with("__")) name.remove_prefix(2);
  if (name == "_environ") name.remove_prefix(1);
  for (const LibraryVariable& variable : kLibraryVariables)
    if (variable.name == name) return variable.name;
  return {};
}

uint16_t shared_variables(const Facts& facts) {
  uint16_t result = 0;
  for (const Object& object : facts.objects) {
    if (object.kind != ObjectKind::Unknown || !object.shared) continue;
    for (size_t n = 0; n < std::size(kLibraryVariables); ++n)
      if (object.name == kLibraryVariables[n].name) result |= static_cast<uint16_t>(1u << n);
  }
  return result;
}

void LibraryTable::variables() {
  for (const Use& use : kUses)
    for (const std::string_view name : use.names) {
      const auto row = std::lower_bound(rows_.begin(), rows_.end(), name,
                                        [](const LibraryFunction& r, std::string_view n) { return r.name < n; });
      if (row == rows_.end() || row->name != name) continue;
      row->variables = use.variables;
      if (use.variables.reads != 0) row->reads |= bit(kStatesRead);
      if (use.variables.changes != 0) {
        row->reads |= bit(kStatesChanged);
        row->writes |= bit(kStatesChanged);
      }
    }
}

}  // namespace heddle::analysis
