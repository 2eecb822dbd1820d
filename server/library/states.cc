#include "server/library/states.h"

#include <array>
#include <bit>
#include <iterator>
#include <utility>

namespace heddle::library {

static_assert(kTheLocale == 1u << (std::size(kVariables) - 1));

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
                                                                           "the names of threads",
                                                                           "the sizes of stacks"};
  const auto bit = static_cast<size_t>(std::countr_zero(state));
  return bit < kNamesOf.size() ? kNamesOf[bit] : "";
}

std::string_view variable_of(std::string_view name) {
  if (name.starts_with("__")) name.remove_prefix(2);
  if (name == "_environ") name.remove_prefix(1);
  for (const Variable& variable : kVariables)
    if (variable.name == name) return variable.name;
  return {};
}

std::string_view words_of_variable(std::string_view name, uint64_t element) {
  static constexpr std::string_view kLocks[] = {"lock of stdin", "lock of stdout", "lock of stderr"};
  static constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"broken_down_time", "result of gmtime() and localtime()"},
      {"a64_text", "result of l64a()"},
      {"ecvt_text", "result of ecvt()"},
      {"fcvt_text", "result of fcvt()"},
      {"host_found", "result of gethostbyname()"},
      {"the_user", "result of getpwnam() and getpwuid()"},
      {"hsearch_state", "table of hsearch()"},
      {"tmpnam_name", "name that tmpnam() keeps"},
      {"cin_buffer_out_of_step", "buffer of std::cin"},
      {"cout_buffer_out_of_step", "buffer of std::cout"},
      {"cerr_buffer_out_of_step", "buffer of std::cerr"}};
  if (name == "lock_of_stream") return element < std::size(kLocks) ? kLocks[element] : "lock of a stream";
  for (const auto& [variable, words] : kWords)
    if (variable == name) return words;
  return {};
}

}  // namespace heddle::library
