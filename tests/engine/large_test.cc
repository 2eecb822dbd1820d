// Programs with large variables: what is used of them is explored, and what does not fit is said with its limit.
#include <chrono>

#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

using Clock = std::chrono::steady_clock;

std::string program(const std::string& variable, const std::string& access) {
  return "#include <pthread.h>\n" + variable + "\nvoid *t(void *p) { " + access +
         "++; return p; }\n"
         "int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); " +
         access + "++; pthread_join(a, 0); return 0; }\n";
}

class Large : public ::testing::Test {
 protected:
  Answer check(const std::string& text) {
    folder_.write("m.c", text);
    return engine_.check(folder_.file("m.c"));
  }
  ProjectFolder folder_;
  EngineProcess engine_;
};

TEST_F(Large, ARaceInALargeArenaIsFound) {
  const auto begin = Clock::now();
  EXPECT_EQ(check(program("static long arena[8u << 20];", "arena[5u << 20]")).rules(),
            std::vector<std::string>{"data-race"});
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(20));
}

TEST_F(Large, AnArenaThatOneThreadUsesCostsNothing) {
  const auto begin = Clock::now();
  const Answer answer = check(program("static char arena[300u << 20]; int x; char *next = arena;", "x"));
  EXPECT_EQ(answer.rules(), std::vector<std::string>{"data-race"});
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(20));
}

TEST_F(Large, WhatDoesNotFitIsNamedWithItsLimit) {
  const Answer answer = check(program("int big[500][1000000];", "big[3][4]"));
  const v1::Verdict* verdict = answer.final_verdict();
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->kind(), v1::VERDICT_INCONCLUSIVE);
  EXPECT_NE(verdict->DebugString().find("memory limit of 2,048 MB"), std::string::npos) << verdict->DebugString();
}

TEST_F(Large, WhatCannotBeCompiledIsAnErrorOfItsFile) {
  const Answer answer = check(program("char huge[1ull << 46];", "huge[1]"));
  const v1::Verdict* verdict = answer.final_verdict();
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->kind(), v1::VERDICT_ERROR);
  ASSERT_GT(verdict->diagnostics_size(), 0);
  EXPECT_NE(verdict->diagnostics(0).message().find("less than 2048 MB"), std::string::npos);
  EXPECT_EQ(verdict->diagnostics(0).line(), 2u);
}

}  // namespace
}  // namespace heddle::engine::test
