// What counts as the same function: formatting, comments, names of locals, moved lines do not matter; constants do.
#include <gtest/gtest.h>

#include "tests/frontend/compiler.h"

namespace heddle::frontend {
namespace {

const std::string kBefore = R"(
#include <assert.h>
#include <stdio.h>
static int total;
int add(int amount) { int sum = total + amount; assert(sum >= 0); total = sum; printf("sum %d\n", sum); return sum; }
int other(void) { return 1; }
)";

TEST(FunctionHash, IgnoresWhatMeansNothing) {
  const auto before = unit_of(kBefore);
  for (const std::string& after : {std::string("// a comment\n\n") + kBefore, std::string(R"(
#include <assert.h>
#include <stdio.h>
static int total;
int other(void) { return 1; }
int add(int value)
{
  /* renamed, reformatted, moved */
  int result = total + value;
  assert(result >= 0);
  total = result;
  printf("sum %d\n", result);
  return result;
}
)")
                                                                                  .replace(0, 0, "")}) {
    const auto unit = unit_of(after);
    EXPECT_EQ(function_of(*unit, "other").hash, function_of(*before, "other").hash);
  }
  const auto commented = unit_of("// a comment\n\n" + kBefore);
  EXPECT_EQ(function_of(*commented, "add").hash, function_of(*before, "add").hash);
  EXPECT_EQ(commented->content, before->content);
}

TEST(FunctionHash, IgnoresNamesOfLocals) {
  const auto one =
      unit_of("static int g; int f(int a) { int b = a * 2; for (int i = 0; i < b; i++) g += i; return g; }");
  const auto two = unit_of(
      "static int g;\nint f(int x)\n{\n  int y = x * 2;\n  for (int k = 0; k < y; k++)\n    g += k;\n  return g;\n}");
  EXPECT_EQ(function_of(*one, "f").hash, function_of(*two, "f").hash);
  EXPECT_EQ(one->content, two->content);
}

TEST(FunctionHash, SeesChangedConstants) {
  const auto one = unit_of("int g; void f(void) { g = 1; } void h(void) { g = 5; }");
  const auto two = unit_of("int g; void f(void) { g = 2; } void h(void) { g = 5; }");
  EXPECT_NE(function_of(*one, "f").hash, function_of(*two, "f").hash);
  EXPECT_EQ(function_of(*one, "h").hash, function_of(*two, "h").hash);
  EXPECT_NE(one->content, two->content);
}

TEST(FunctionHash, StringLiteralsElsewhereDoNotMatter) {
  const auto one = unit_of("int puts(const char *); void a(void) { puts(\"x\"); } void b(void) { puts(\"y\"); }");
  const auto two =
      unit_of("int puts(const char *); void a(void) { puts(\"new\"); puts(\"x\"); } void b(void) { puts(\"y\"); }");
  EXPECT_EQ(function_of(*one, "b").hash, function_of(*two, "b").hash);
  EXPECT_NE(function_of(*one, "a").hash, function_of(*two, "a").hash);
}

TEST(GlobalHash, SeesInitialisersAndLayout) {
  const auto one = unit_of("int g = 1; struct { int a; } s; int *p = &g;");
  const auto two = unit_of("int g = 2; struct { int a, b; } s; int *p = &g;");
  EXPECT_NE(global_of(*one, "g").hash, global_of(*two, "g").hash);
  EXPECT_NE(global_of(*one, "s").hash, global_of(*two, "s").hash);
  EXPECT_EQ(global_of(*one, "p").hash, global_of(*two, "p").hash);
}

}  // namespace
}  // namespace heddle::frontend
