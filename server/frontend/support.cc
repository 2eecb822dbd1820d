#include "server/frontend/support.h"

#include <algorithm>
#include <functional>
#include <set>

#include "server/program/select.h"

namespace heddle::frontend {
namespace {

bool contains_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

bool of_streams(const std::string& name) {
  return contains_any(name,
                      {"stream",   "ios_base", "basic_ios", "locale",  "filebuf", "stringbuf", "_ZNSo",     "_ZNKSo",
                       "_ZNSi",    "_ZNKSi",   "_ZNSd",     "_ZNKSd",  "ctype",   "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog",
                       "_ZSt3cin", "codecvt",  "collate",   "num_put", "num_get", "numpunct"});
}

bool of_wide_characters(const std::string& name) {
  return contains_any(name, {"streamIw", "bufIw", "basic_iosIw", "_ZSt4wcin", "_ZSt5wc", "ctypeIw", "codecvtIw",
                             "collateIw", "num_putIw", "num_getIw", "numpunctIw", "time_putIw", "timepunctIw"});
}

bool of_file_systems(const std::string& name) { return contains_any(name, {"St10filesystem"}); }

bool of_memory_resources(const std::string& name) { return contains_any(name, {"NSt3pmr", "NKSt3pmr"}); }

bool of_conversions(const std::string& name) {
  return contains_any(name, {"__codecvt_utf", "codecvtIDs", "codecvtIDi"});
}

// C functions that are ours, too, in programs that use them.
bool of_pipes(const std::string& name) {
  constexpr std::string_view kMakers[] = {"pipe",  "pipe2",  "eventfd", "socketpair",   "poll",
                                          "ppoll", "select", "pselect", "epoll_create", "epoll_create1"};
  return std::find(std::begin(kMakers), std::end(kMakers), name) != std::end(kMakers);
}

bool of_posix(const std::string& name) {
  constexpr std::string_view kNames[] = {"strtok",    "gmtime",    "localtime", "asctime",  "ctime",   "a64l",
                                         "l64a",      "getsubopt", "mkdtemp",   "writev",   "readv",   "inet_pton",
                                         "inet_ntop", "inet_ntoa", "ecvt",      "fcvt",     "gcvt",    "openat",
                                         "unlinkat",  "mbrtoc16",  "c16rtomb",  "mbrtoc32", "c32rtomb"};
  constexpr std::string_view kHiddenState[] = {
      "drand48",    "lrand48",     "mrand48",    "srand48",    "hcreate", "hsearch", "hdestroy", "__overflow",
      "__uflow",    "mblen",       "mbtowc",     "wctomb",     "mbrlen",  "mbrtowc", "wcrtomb",  "mbsrtowcs",
      "mbsnrtowcs", "wcsrtombs",   "wcsnrtombs", "localeconv", "tmpnam",  "seed48",  "lcong48",  "random_r",
      "srandom_r",  "initstate_r", "setstate_r", "initstate",  "setstate"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames) ||
         std::find(std::begin(kHiddenState), std::end(kHiddenState), name) != std::end(kHiddenState) ||
         name.find("_unlocked") != std::string::npos;
}

bool of_random_buffers(const std::string& name) { return name == "initstate" || name == "setstate"; }

bool of_stream_locks(const std::string& name) {
  return name == "flockfile" || name == "ftrylockfile" || name == "funlockfile";
}

bool of_search(const std::string& name) {
  constexpr std::string_view kNames[] = {"tsearch", "tfind",   "tdelete",  "twalk",     "twalk_r",   "tdestroy",
                                         "hcreate", "hsearch", "hdestroy", "hcreate_r", "hsearch_r", "hdestroy_r"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// What the machine itself provides. A program that needs nothing else needs no module. (operator new is not among it:
// it throws what the library defines.)
bool of_the_machine(std::string_view name) {
  if (name.starts_with("__cxa_")) return !contains_any(name, {"bad_cast", "bad_typeid", "bad_array_new_length"});
  if (name.starts_with("_ZTI") && name.size() <= 7) return true;  // of fundamental types
  constexpr std::string_view kBeginnings[] = {"_ZdlPv",
                                              "_ZdaPv",
                                              "_ZSt9terminatev",
                                              "_ZSt13set_terminate",
                                              "_ZSt13get_terminate",
                                              "_ZSt18uncaught_exception",
                                              "_ZSt19uncaught_exceptions",
                                              "_ZSt17current_exception",
                                              "_ZSt17rethrow_exception",
                                              "_ZNSt15__exception_ptr",
                                              "_ZNKSt15__exception_ptr",
                                              "_ZTVN10__cxxabiv1"};
  return std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

// Only options that choose the toolchain or the library's binary interface matter: as the real library, ours is the
// same for every language mode.
CompileCommand support_command(const CompileCommand& user, const std::string& file) {
  CompileCommand made;
  made.file = file;
  made.directory = "/";
  made.arguments = {"c++", "-std=gnu++20", "-w"};
  for (size_t n = 1; n < user.arguments.size(); ++n) {
    const std::string& argument = user.arguments[n];
    if (argument.starts_with("--gcc-toolchain") || argument.starts_with("--gcc-install-dir") ||
        argument.starts_with("--sysroot=") || argument.starts_with("-D_GLIBCXX_USE_CXX11_ABI"))
      made.arguments.push_back(argument);
    if ((argument == "-isysroot" || argument == "--sysroot") && n + 1 < user.arguments.size())
      made.arguments.insert(made.arguments.end(), {argument, user.arguments[n + 1]});
  }
  made.arguments.push_back(file);
  return made;
}

SupportModule support_module(const std::string& name, const CompileCommand& user) {
  const auto& texts = support_texts();
  const auto found = std::find_if(texts.begin(), texts.end(), [&](const auto& text) { return text.module == name; });
  const std::string file = std::string(program::kLibraryFolder) + name + ".cc";
  SupportModule made{support_command(user, file), {file, ""}};
  for (const auto& [part, text] : found->files)  // 3: a system header
    made.text.text += "# 1 \"" + std::string(program::kLibraryFolder) + part + "\" 3\n" + text + "\n";
  return made;
}

// The modules of the C++ library.
void add_cxx(const std::set<std::string>& names, const std::function<void(const std::string&)>& add) {
  const auto named = [&names](bool (*of)(const std::string&)) { return std::any_of(names.begin(), names.end(), of); };
  // What needs others comes first: strings and exceptions last.
  if (named(of_file_systems)) add("filesystem");
  if (named(of_conversions)) add("conversions");
  const bool wide = named(of_wide_characters);
  if (wide) add("wide");
  if (wide || named(of_streams)) add("streams");
  if (named(of_memory_resources)) add("memory");
  add("core");
}

}  // namespace

std::vector<program::UnitPtr> support_units(const std::vector<program::UnitPtr>& units,
                                            const std::vector<CompileCommand>& commands,
                                            const CompileSupport& compile) {
  std::vector<program::UnitPtr> all = units;
  std::vector<program::UnitPtr> result;
  const std::set<std::string> names = program::undefined_names(units);
  const auto add = [&](const std::string& module) {
    // The units of one program share a toolchain; that of the first one counts.
    const program::UnitPtr library = compile(support_module(module, commands.front()));
    const program::UnitPtr needed = library ? program::select_needed(*library, all) : nullptr;
    if (!needed) return;
    all.push_back(needed);
    result.push_back(needed);
  };
  if (commands.empty()) return result;
  const auto named = [&names](bool (*of)(const std::string&)) { return std::any_of(names.begin(), names.end(), of); };
  if (named(of_random_buffers)) add("random_buffers");
  if (named(of_posix)) add("posix");
  if (named(of_pipes)) add("pipes");
  if (named(of_search)) add("search");
  const bool mangled = std::any_of(names.begin(), names.end(), [](const std::string& name) {
    return (name.starts_with("_Z") || name.starts_with("__cxa_")) && !of_the_machine(name);
  });
  if (mangled) add_cxx(names, add);
  if (named(of_stream_locks)) add("stream_locks");
  return result;
}

}  // namespace heddle::frontend
