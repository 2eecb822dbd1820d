#include "tests/programs/expectations.h"

#include <gtest/gtest.h>

namespace heddle::tests {
namespace {

constexpr const char* kRacy =
    "// OPTIONS: --a --b=1\n"
    "int x;\n"
    "void f(void) { x++; }  // RACE! ERROR(leak|trap)?\n";

Run clear_run() { return {0, false, "{\"type\":\"verdict\",\"verdict\":\"clear\",\"stats\":{\"pairs\":0}}\n", ""}; }

std::string race_at(int first, int second) {
  return "{\"type\":\"finding\",\"rule\":\"data-race\",\"message\":\"m\",\"places\":[{\"file\":\"/t/a.c\",\"line\":" +
         std::to_string(first) + "},{\"file\":\"/t/a.c\",\"line\":" + std::to_string(second) +
         "}]}\n{\"type\":\"verdict\",\"verdict\":\"findings\"}\n";
}

TEST(Expectations, ReadsMarkersAndDirectives) {
  const Expectations read = read_expectations("a.c", kRacy);
  ASSERT_EQ(read.lines.size(), 2u);
  EXPECT_EQ(read.lines[0].line, 3u);
  EXPECT_TRUE(read.lines[0].required);
  EXPECT_EQ(read.lines[1].rules, (std::vector<std::string>{"leak", "trap"}));
  EXPECT_FALSE(read.lines[1].required);
  EXPECT_EQ(read.options, (std::vector<std::string>{"--a", "--b=1"}));
  EXPECT_EQ(read.verdicts, std::vector<std::string>{"findings"});
}

TEST(Expectations, AMissingFindingIsAProblem) {
  EXPECT_EQ(check(read_expectations("a.c", kRacy), clear_run()).size(), 2u);  // verdict and line 3
}

TEST(Expectations, ARaceNeedsBothPlacesExpected) {
  const Expectations expected = read_expectations("a.c", kRacy);
  EXPECT_TRUE(check(expected, {1, false, race_at(3, 3), ""}).empty());
  EXPECT_EQ(check(expected, {1, false, race_at(3, 2), ""}).size(), 1u);
}

TEST(Expectations, AnythingUnexpectedIsAProblem) {
  EXPECT_EQ(check(read_expectations("a.c", "int main(void) { return 0; }\n"), {1, false, race_at(1, 1), ""}).size(),
            2u);
}

TEST(Expectations, CountersAndUnknownDirectives) {
  EXPECT_TRUE(check(read_expectations("a.c", "// STATS: pairs=0\n"), clear_run()).empty());
  EXPECT_EQ(check(read_expectations("a.c", "// STATS: pairs=2\n"), clear_run()).size(), 1u);
  EXPECT_EQ(check(read_expectations("a.c", "// NONSENSE: 2\n"), clear_run()).size(), 1u);
}

TEST(Expectations, TheLastLineMustBeAVerdict) {
  EXPECT_EQ(check(read_expectations("a.c", ""), {0, false, "{\"type\":\"progress\"}\n", ""}).size(), 1u);
  EXPECT_EQ(check(read_expectations("a.c", ""), {0, true, "", ""}).size(), 1u);
}

}  // namespace
}  // namespace heddle::tests
