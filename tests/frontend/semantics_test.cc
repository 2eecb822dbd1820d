// What the lowered code computes is what the program computes: torture.c natively against the evaluator.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "server/program/print.h"
#include "tests/frontend/compiler.h"
#include "tests/frontend/evaluator.h"

#define TORTURE_TESTS(X) \
  X(test_integers)       \
  X(test_wide)           \
  X(test_odd_widths)     \
  X(test_floats)         \
  X(test_float_classes)  \
  X(test_aggregates)     \
  X(test_variadic)       \
  X(test_control)        \
  X(test_calls_and_data) \
  X(test_builtins)       \
  X(test_atomics)        \
  X(test_vectors)

#define DECLARE(name) extern "C" uint64_t name(void);
TORTURE_TESTS(DECLARE)

namespace heddle::frontend {
namespace {

TEST(Semantics, TortureProgramGivesTheSameNumbers) {
  std::ifstream in(HEDDLE_TORTURE);
  std::stringstream text;
  text << in.rdbuf();
  const auto unit = unit_of(text.str());
  EXPECT_FALSE(has_unsupported(*unit));
  Evaluator evaluator(unit);
#define COMPARE(name) EXPECT_EQ(evaluator.call(#name), ::name()) << #name;
  TORTURE_TESTS(COMPARE)
}

// A unit that was kept by an older build must not pass for what this build would make.
TEST(Semantics, ChangesOfTheLoweringRaiseItsVersion) {
  ASSERT_STREQ(HEDDLE_LLVM_VERSION, "19.1.7")
      << "another Clang makes other code: raise kLoweringVersion, set hash and version";
  std::ifstream in(HEDDLE_TORTURE);
  std::stringstream text;
  text << in.rdbuf();
  EXPECT_EQ(unit_of(text.str())->content.hex(), "faa44e841a2a6384b6eaaf838b94395b")
      << "set this hash anew and raise kLoweringVersion";
  EXPECT_EQ(kLoweringVersion, 26u);
}

}  // namespace
}  // namespace heddle::frontend
