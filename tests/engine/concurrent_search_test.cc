// Where several workers run, a search of all interleavings runs concurrently with the pairs of step 1.
#include <fstream>
#include <iterator>

#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

// The pairs of this program have 400,000 interleavings, all threads together have 500. An error in it is told, too.
TEST(ConcurrentSearch, PairsThatTakeLongerAreNotWaitedFor) {
  std::ifstream file(HEDDLE_BENCHMARK_PROGRAMS "/alarm_clock/alarm_clock.c");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const std::string order = "  while (*place && (*place)->alarm_time <= sleeper->alarm_time) place = &(*place)->next;\n";
  for (const bool wrong : {false, true}) {
    ProjectFolder folder;
    EngineProcess engine({{{"HEDDLE_EXPLORERS", "3"}}, 0});
    std::string version = "#define CLIENTS 3\n#define ALARMS 1\n" + text;
    ASSERT_NE(version.find(order), version.npos);
    if (wrong) version.erase(version.find(order), order.size());
    folder.write("a.c", version);
    const Answer answer = engine.check(request_for(folder.file("a.c")));
    EXPECT_EQ(answer.rules(), wrong ? std::vector<std::string>{"assertion"} : std::vector<std::string>{});
    EXPECT_EQ(answer.final_verdict()->scope().step1(), v1::STEP_COMPLETE);
    EXPECT_LT(answer.final_verdict()->stats().executions(), 100'000u);
  }
}

}  // namespace
}  // namespace heddle::engine::test
