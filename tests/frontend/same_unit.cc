#include "tests/frontend/same_unit.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "server/program/differences.h"
#include "server/program/print.h"

namespace heddle::frontend {
namespace {

std::vector<std::string> texts_of(const std::vector<Diagnostic>& diagnostics) {
  std::vector<std::string> texts;
  for (const Diagnostic& d : diagnostics)
    texts.push_back(d.path + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) + ": " + d.message);
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace

void expect_equal(const CompileResult& made, const CompileResult& as_written) {
  EXPECT_EQ(texts_of(made.diagnostics), texts_of(as_written.diagnostics));
  ASSERT_EQ(made.unit != nullptr, as_written.unit != nullptr);
  if (!made.unit) return;
  EXPECT_EQ(program::verify(*made.unit), std::vector<std::string>{});
  EXPECT_EQ(program::differences(*made.unit, *as_written.unit), std::vector<std::string>{});
}

}  // namespace heddle::frontend
