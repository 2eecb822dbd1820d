#include "examples/tour/edits.h"

#include <stdexcept>

namespace heddle::tour {
namespace {

std::string in_round(std::string text, int round) {
  for (size_t mark; (mark = text.find('@')) != std::string::npos;) text.replace(mark, 1, std::to_string(round));
  return text;
}

}  // namespace

const std::vector<Example>& examples() {
  static const std::vector<Example> list = {jobserver(), quoteserver()};
  return list;
}

std::vector<std::string> example_names() {
  std::vector<std::string> names;
  for (const Example& example : examples()) names.push_back(example.name);
  return names;
}

std::string apply(const Edit& edit, const std::string& text, int round) {
  std::string result = text;
  bool differs = edit.harmless;
  for (const auto& [before, after] : edit.changes) {
    const size_t at = result.find(before);
    if (at == std::string::npos || result.find(before, at + 1) != std::string::npos)
      throw std::runtime_error(edit.name + ": the example does not contain exactly once: " + before);
    result.replace(at, before.size(), in_round(after, round));
    differs = differs || after.find('@') != std::string::npos;
  }
  // Makes the program new, so that its verdict is not in the books, and changes nothing that any thread runs.
  if (round > 0 && !differs) result += in_round("\nint spare_@(int n);\nint spare_@(int n) { return n + @; }\n", round);
  return result;
}

}  // namespace heddle::tour
