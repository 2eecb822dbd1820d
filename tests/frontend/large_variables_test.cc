// Variables of many megabytes: zeros cost nothing, and what is too large is said in one message.
#include <gtest/gtest.h>

#include "tests/frontend/compiler.h"

namespace heddle::frontend {
namespace {

std::string error_of(const std::string& text) {
  Compiler compiler;
  const CompileCommand command = command_for("/test/main.c");
  const CompileResult result = compiler.compile(command, {{command.file, text}});
  return result.unit || result.diagnostics.empty() ? "" : result.diagnostics.back().message;
}

TEST(LargeVariables, ZerosAreNotKept) {
  const auto unit = unit_of("static char arena[1u << 30]; char *of(int n) { return arena + n; }\n");
  EXPECT_EQ(global_of(*unit, "arena").size, uint64_t{1} << 30);
  EXPECT_TRUE(global_of(*unit, "arena").initialiser.empty());
}

TEST(LargeVariables, ZerosBehindAValueAreNotKept) {
  const auto unit = unit_of(
      "int numbers[1 << 28] = {[5] = 7}; struct { long first; char rest[1 << 28]; void *last; } mixed = {3, {0}, "
      "0};\n");
  const auto& numbers = global_of(*unit, "numbers");
  ASSERT_EQ(numbers.initialiser.size(), 24u);
  EXPECT_EQ(numbers.initialiser[20], 7);
  EXPECT_EQ(global_of(*unit, "mixed").initialiser.size(), 8u);
}

TEST(LargeVariables, RelocationsInThemAreKept) {
  const auto unit = unit_of("int x; int *pointers[1 << 20] = {[9] = &x};\n");
  const auto& pointers = global_of(*unit, "pointers");
  EXPECT_EQ(pointers.initialiser.size(), 80u);
  ASSERT_EQ(pointers.relocations.size(), 1u);
  EXPECT_EQ(pointers.relocations[0].offset, 72u);
}

TEST(LargeVariables, TooLargeOnesAreErrors) {
  EXPECT_NE(error_of("char a[1ull << 46];\n").find("'a' has 67108864 MB: variables of less than 2048 MB"),
            std::string::npos);
  EXPECT_NE(error_of("int a[1u << 31] = {[5] = 1};\n").find("less than 2048 MB"), std::string::npos);
  // Of elements of 1 MB: Clang keeps a pointer for each.
  EXPECT_NE(error_of("struct { char b[1 << 20]; } a[300] = {[299] = {{1}}};\n")
                .find("'a' has a first value of more than 256 MB"),
            std::string::npos);
}

}  // namespace
}  // namespace heddle::frontend
