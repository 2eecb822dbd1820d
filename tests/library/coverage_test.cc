// Every model has a row that says what it does to memory.
#include <gtest/gtest.h>

#include "server/analysis/library.h"
#include "server/machine/builtin.h"

namespace heddle::machine {
namespace {

TEST(Coverage, EveryModelHasAnAnalysisRow) {
  std::string missing;
  for (const BuiltinRow& row : library_builtins()) {
    if (analysis::find_library_function(row.name) == nullptr) missing += std::string(row.name) + " ";
  }
  EXPECT_EQ(missing, "");
}

}  // namespace
}  // namespace heddle::machine
