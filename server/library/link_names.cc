#include "server/library/link_names.h"

#include <algorithm>
#include <charconv>
#include <iterator>

namespace heddle::library {
namespace {

template <size_t count>
bool begins_with_any(std::string_view name, const std::string_view (&beginnings)[count]) {
  return std::any_of(std::begin(beginnings), std::end(beginnings),
                     [&](std::string_view beginning) { return name.starts_with(beginning); });
}

}  // namespace

bool is_of_library(std::string_view name) {
  constexpr std::string_view kBeginnings[] = {"_ZSt",
                                              "_ZNSt",
                                              "_ZNKSt",
                                              "_ZNSa",
                                              "_ZNKSa",
                                              "_ZNSs",
                                              "_ZNKSs",
                                              "_ZNSo",
                                              "_ZNSi",
                                              "_ZNSd",
                                              "_ZN9__gnu_cxx",
                                              "_ZNK9__gnu_cxx",
                                              "_ZN10__cxxabiv1",
                                              "_ZTVSt",
                                              "_ZTVNSt",
                                              "_ZTVN10__cxxabiv1",
                                              "_ZTISt",
                                              "_ZTINSt",
                                              "_ZTTSt",
                                              "_ZTTNSt",
                                              "_Zn",
                                              "_Zd"};
  return begins_with_any(name, kBeginnings);
}

bool writes_digits(std::string_view name) { return name.starts_with("_ZNSt8__detail18__to_chars_10_impl"); }

bool is_of_characters(std::string_view name) {
  constexpr std::string_view kBeginnings[] = {"_ZNSt11char_traitsI", "_ZN9__gnu_cxx11char_traitsI", "_ZNKSt5ctypeIcE"};
  return begins_with_any(name, kBeginnings);
}

bool is_of_string(std::string_view name) {
  constexpr std::string_view kBeginnings[] = {"_ZNSt7__cxx1112basic_string", "_ZNKSt7__cxx1112basic_string"};
  return begins_with_any(name, kBeginnings);
}

std::span<const std::string_view> sure_locks() {
  static constexpr std::string_view kLocks[] = {"_ZNSt5mutex4lockEv",           "_ZNSt15recursive_mutex4lockEv",
                                                "_ZNSt11timed_mutex4lockEv",    "_ZNSt21recursive_timed_mutex4lockEv",
                                                "_ZN9__gnu_cxx7__mutex4lockEv", "_ZN9__gnu_cxx7__mutex6unlockEv"};
  return kLocks;
}

std::optional<uint64_t> semaphore_maximum(std::string_view release) {
  constexpr std::string_view kBegin = "_ZNSt18counting_semaphoreILl", kEnd = "EE7releaseEl";
  if (!release.starts_with(kBegin) || !release.ends_with(kEnd)) return std::nullopt;
  uint64_t most = 0;
  std::from_chars(release.data() + kBegin.size(), release.data() + release.size(), most);
  return most;
}

std::span<const StandardStream> standard_streams() {
  static constexpr StandardStream kStreams[] = {{"_ZSt4cout", "std::cout", 8},   {"_ZSt4cerr", "std::cerr", 8},
                                                {"_ZSt4clog", "std::clog", 8},   {"_ZSt3cin", "std::cin", 16},
                                                {"_ZSt5wcout", "std::wcout", 8}, {"_ZSt5wcerr", "std::wcerr", 8},
                                                {"_ZSt5wclog", "std::wclog", 8}, {"_ZSt4wcin", "std::wcin", 16}};
  return kStreams;
}

}  // namespace heddle::library
