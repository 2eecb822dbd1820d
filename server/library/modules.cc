#include "server/library/modules.h"

#include <algorithm>

#include "server/library/function.h"

namespace heddle::library {
namespace {

using Names = std::set<std::string>;

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

// What the machine itself provides. A program that needs nothing else needs no module. (operator new is not among it:
// it throws what the library defines.)
bool of_the_machine(std::string_view name) {
  if (name.starts_with("__cxa_")) return !contains_any(name, {"bad_cast", "bad_typeid", "bad_array_new_length"});
  if (name.starts_with("_ZTI") && name.size() <= 7) return true;  // of fundamental types
  constexpr std::string_view kBeginnings[] = {"_ZdlPv",
                                              "_ZdaPv",
                                              "_ZSt9terminatev",
                                              "_ZSt21__glibcxx_assert_fail",
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

// mmap() of memory alone is the machine's: mappings of files need a descriptor of one.
bool maps_files(const Names& names) {
  const auto calls = [&](std::initializer_list<const char*> any) {
    return std::any_of(any.begin(), any.end(), [&](const char* name) { return names.contains(name); });
  };
  return calls({"mmap", "mmap64"}) &&
         calls({"creat", "fileno", "memfd_create", "mkostemp", "mkstemp", "open", "open64", "openat", "openat64"});
}

bool needs_cxx(const std::string& name) {
  return (name.starts_with("_Z") || name.starts_with("__cxa_")) && !of_the_machine(name);
}

// The modules of the C++ library. What needs others comes first: strings and exceptions last.
void add_cxx(const Names& names, std::vector<std::string_view>& modules) {
  const auto named = [&names](bool (*of)(const std::string&)) { return std::any_of(names.begin(), names.end(), of); };
  if (named(of_file_systems)) modules.push_back("filesystem");
  if (named(of_conversions)) modules.push_back("conversions");
  const bool wide = named(of_wide_characters);
  if (wide) modules.push_back("wide");
  if (wide || named(of_streams)) modules.push_back("streams");
  if (named(of_memory_resources)) modules.push_back("memory");
  modules.push_back("core");
}

}  // namespace

std::vector<std::string_view> needed_modules(const Names& undefined) {
  std::set<std::string_view> of_c;
  for (const std::string& name : undefined)
    if (const Function* const row = find_row(name)) of_c.insert({row->module.name, row->module.second});
  if (maps_files(undefined)) of_c.insert("mappings");
  std::vector<std::string_view> modules;
  for (const std::string_view module :
       {"random_buffers", "clients", "timers", "mappings", "posix", "pipes", "queues", "search", "regex"})
    if (of_c.contains(module)) modules.push_back(module);
  if (std::any_of(undefined.begin(), undefined.end(), needs_cxx)) add_cxx(undefined, modules);
  if (of_c.contains("stream_locks")) modules.push_back("stream_locks");
  return modules;
}

bool serves_descriptors(std::string_view path) {
  constexpr std::string_view kFiles[] = {"formatted.cc", "pipes.cc", "polling.cc", "queues.cc", "sockets.cc"};
  return std::find(std::begin(kFiles), std::end(kFiles), path.substr(path.rfind('/') + 1)) != std::end(kFiles);
}

}  // namespace heddle::library
