// Where several workers run, a search of all interleavings runs concurrently with the pairs of step 1.
#include <fstream>
#include <iterator>

#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

// Its pairs have 400,000 interleavings, all threads together have 500.
std::string alarm_clock() {
  std::ifstream file(HEDDLE_BENCHMARK_PROGRAMS "/alarm_clock/alarm_clock.c");
  return "#define CLIENTS 3\n#define ALARMS 1\n" + std::string(std::istreambuf_iterator<char>(file), {});
}

std::string with(std::string text, const std::string& instead, const std::string& line) {
  EXPECT_NE(text.find(line), text.npos);
  return text.replace(text.find(line), line.size(), instead);
}

using Rules = std::vector<std::string>;

class ConcurrentSearch : public ::testing::Test {
 protected:
  Answer check(const std::string& text) {
    folder_.write("a.c", text);
    return engine_.check(request_for(folder_.file("a.c")));
  }
  static void expect_few_executions(const Answer& answer) {
    EXPECT_EQ(answer.final_verdict()->scope().step1(), v1::STEP_COMPLETE);
    EXPECT_LT(answer.final_verdict()->stats().executions(), 100'000u);
  }
  ProjectFolder folder_;
  EngineProcess engine_{{{{"HEDDLE_EXPLORERS", "3"}}, 0}};
};

TEST_F(ConcurrentSearch, PairsThatTakeLongerAreNotWaitedFor) {
  const Answer right = check(alarm_clock());
  EXPECT_EQ(right.rules(), Rules{});
  expect_few_executions(right);
}

TEST_F(ConcurrentSearch, ManyPairsLeaveItsFindingsToIt) {
  const Answer wrong = check(with(
      alarm_clock(), "", "  while (*place && (*place)->alarm_time <= sleeper->alarm_time) place = &(*place)->next;\n"));
  EXPECT_EQ(wrong.rules(), Rules{"assertion"});
  expect_few_executions(wrong);
}

// Six pairs with 270,000 interleavings of their own.
TEST_F(ConcurrentSearch, FewPairsReportItsFindingsInTheTimeTheyHave) {
  EXPECT_EQ(check(alarm_clock()).rules(), Rules{});
  const Answer wrong = check(
      with(alarm_clock(), "  assert(!clock->sleepers || !clock->sleepers->next || !clock->sleepers->next->next);\n",
           "  clock->now++;\n"));
  EXPECT_EQ(wrong.rules(), Rules{"assertion"});
  expect_few_executions(wrong);
}

}  // namespace
}  // namespace heddle::engine::test
