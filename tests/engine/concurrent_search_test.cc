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

// Nine functions: 45 pairs, and more states than the search behind the second pair may visit.
std::string many_counters() {
  constexpr int kThreads = 9;
  std::string text = "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x;\n", begins, ends;
  for (int n = 0; n < kThreads; ++n) {
    const std::string number = std::to_string(n);
    text += "static void *work" + number + "(void *p) { for (int k = 0; k < 6; k++) x = x * 3 + " + number +
            "; return p; }\n";
    begins += "  pthread_create(&t[" + number + "], 0, work" + number + ", 0);\n";
    ends += "  pthread_join(t[" + number + "], 0);\n";
  }
  return text + "int main(void) {\n  pthread_t t[9];\n" + begins + ends + "  return 0;\n}\n";
}

TEST(OneWorker, ASearchThatWasCutSettlesNothing) {
  ProjectFolder folder;
  folder.write("a.c", many_counters());
  EngineProcess engine{{{{"HEDDLE_EXPLORERS", "1"}}, 0}};
  v1::CheckRequest request = request_for(folder.file("a.c"));
  request.set_time_limit_seconds(3);
  const Answer answer = engine.check(request);
  EXPECT_GT(answer.final_verdict()->stats().pairs(), 32u);
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE) << answer.text();
  EXPECT_NE(answer.final_verdict()->scope().step2(), v1::STEP_COMPLETE);
  EXPECT_NE(answer.final_verdict()->scope().step1(), v1::STEP_COMPLETE) << "the pairs were not explored";
}

}  // namespace
}  // namespace heddle::engine::test
