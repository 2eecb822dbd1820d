#include "server/library/states.h"

#include <array>
#include <bit>
#include <iterator>

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
                                                                           "the names of threads"};
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

}  // namespace heddle::library
