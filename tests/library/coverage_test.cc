// Every model has a row that says what it does to memory.
#include <gtest/gtest.h>

#include "server/analysis/library.h"
#include "server/machine/builtin.h"
#include "server/machine/registry.h"

namespace heddle::machine {
namespace {

TEST(Coverage, EveryModelHasAnAnalysisRow) {
  std::string missing;
  for (const auto& rows : {library_builtins(), exception_builtins(), new_builtins()}) {
    for (const BuiltinRow& row : rows)
      if (analysis::find_library_function(row.name) == nullptr) missing += std::string(row.name) + " ";
  }
  EXPECT_EQ(missing, "");
}

}  // namespace
}  // namespace heddle::machine
