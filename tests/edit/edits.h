// Small programs and edits of them, as replacements of text.
#pragma once

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "server/edit/edit.h"
#include "tests/support/compile_text.h"

namespace heddle::edit {

inline const std::string kHeaders = R"(#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
)";

using Replacements = std::vector<std::pair<std::string, std::string>>;

inline std::string replace(std::string text, const Replacements& replacements) {
  for (const auto& [from, to] : replacements) {
    const size_t at = text.find(from);
    if (at == std::string::npos) throw std::runtime_error("no such text: " + from);
    text.replace(at, from.size(), to);
  }
  return text;
}

inline analysis::FactsPtr facts_of(const std::string& text) {
  return analysis::analyse(test::program_of(kHeaders + text));
}

struct TwoVersions {
  analysis::FactsPtr before, after;
  Impact impact;
  std::string text;
};

inline TwoVersions edit(const std::string& program, const Replacements& replacements) {
  TwoVersions result;
  result.before = facts_of(program);
  result.after = facts_of(replace(program, replacements));
  result.impact = compare(result.before, result.after);
  result.text = print(*result.after, result.impact);
  return result;
}

}  // namespace heddle::edit
