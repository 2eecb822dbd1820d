// What is checked again: the same program with more time, and another program in the same file.
#include <unistd.h>

#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

// More interleavings than any time limit here allows.
std::string endless(const std::string& name, int threads = 5, int rounds = 40) {
  const std::string count = std::to_string(threads);
  return "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int n;\n"
         "static void *" +
         name +
         "(void *p) {\n"
         "  for (int i = 0; i < " +
         std::to_string(rounds) +
         "; i++) atomic_store(&n, atomic_load(&n) * 3 + i);\n  return p;\n}\n"
         "int main(void) {\n  pthread_t t[" +
         count +
         "];\n"
         "  for (int i = 0; i < " +
         count + "; i++) pthread_create(&t[i], 0, " + name +
         ", 0);\n"
         "  for (int i = 0; i < " +
         count + "; i++) pthread_join(t[i], 0);\n  return 0;\n}\n";
}

const char* kRace = R"(#include <pthread.h>
static int total;
static void *adder(void *p) { total++; return p; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, adder, 0); pthread_create(&b, 0, adder, 0);
  pthread_join(a, 0); pthread_join(b, 0);
}
)";

class Again : public ::testing::Test {
 protected:
  Answer check(const std::string& text, double seconds = 0, bool full = false) {
    folder_.write("a.c", text);
    v1::CheckRequest request = request_for(folder_.file("a.c"));
    request.set_time_limit_seconds(seconds);
    request.set_full(full);
    return engine_.check(request);
  }
  ProjectFolder folder_;
  EngineProcess engine_;
};

TEST_F(Again, MoreTimeForTheSameProgramIsUsed) {
  const Answer first = check(endless("work"), 0.3);
  ASSERT_EQ(first.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE) << first.text();
  for (const double seconds : {0.6, 0.9}) {
    const Answer more = check(endless("work"), seconds);
    EXPECT_EQ(more.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE) << more.text();
    EXPECT_GT(more.final_verdict()->stats().executions(), 0u) << "it was searched";
  }
  // With the same time, what was said stands.
  const Answer same = check(endless("work"), 0.9);
  EXPECT_EQ(same.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE);
  EXPECT_EQ(same.final_verdict()->stats().executions(), 0u);
}

// Only Z3 finds a root of 24 bits. After an edit that no other thread notices the race's input is known.
TEST_F(Again, AnOpenFindingIsReplayedWithItsInputs) {
  const auto program = [](const std::string& rounds) {
    return "#include <pthread.h>\nunsigned __VERIFIER_nondet_uint(void);\nstatic int total;\n"
           "static void *adder(void *p) { total++; return p; }\n"
           "static void wait_for(int rounds) { volatile int done = 0; for (int i = 0; i < rounds; i++) done = " +
           rounds +
           "; }\n"
           "int main(void) {\n  unsigned n = __VERIFIER_nondet_uint();\n"
           "  pthread_t t;\n  pthread_create(&t, 0, adder, 0);\n  wait_for(2);\n"
           "  if ((n * n & 0xffffff) == 0x6da321) total++;\n  pthread_join(t, 0);\n}\n";
  };
  const Answer first = check(program("1"));
  ASSERT_EQ(first.final_verdict()->kind(), v1::VERDICT_FINDINGS) << first.text();
  EXPECT_GT(first.final_verdict()->stats().queries(), 0u);
  const Answer second = check(program("2"));
  EXPECT_EQ(second.final_verdict()->kind(), v1::VERDICT_FINDINGS) << second.text();
  EXPECT_GT(second.final_verdict()->stats().events(), 0u) << "it was replayed";
  EXPECT_EQ(second.final_verdict()->stats().queries(), 0u) << second.text();
}

// What is too much to explore is explored with few preemptive switches, and with more of them while no one asks. A check
// interrupts that: each wait is twice as long as the one before, as each search is.
TEST_F(Again, AnIdleEngineGetsFurther) {
  folder_.write(".heddle.yaml", "time-limits: {first: 0.2, background: 2}\n");
  const auto switches = [](const Answer& answer) {
    if (answer.final_verdict()->kind() == v1::VERDICT_CLEAR) return 1000;  // all of them
    const std::string& message = answer.final_verdict()->message();
    if (message.starts_with("clear with no preemptive switch")) return 0;
    const std::string clear = "clear with up to ";
    return message.starts_with(clear) ? std::atoi(message.c_str() + clear.size()) : -1;
  };
  Answer answer = check(endless("work", 2, 12));
  const int first = switches(answer);
  for (unsigned wait = 3; wait < 200 && switches(answer) <= first; wait *= 2) {
    ::sleep(wait);
    answer = check(endless("work", 2, 12));
    EXPECT_EQ(answer.final_verdict()->stats().executions(), 0u) << "it is in the ledger";
  }
  EXPECT_GT(switches(answer), first) << answer.text();
}

// With more time, with more of them.
TEST_F(Again, TheVerdictTellsUpToHowManySwitchesItHolds) {
  const std::string clear = "clear with up to ";
  double seconds = 1.5;  // more on a busy machine
  Answer first = check(endless("work", 3), seconds, true);
  while (seconds < 48 && first.final_verdict()->message().find(clear) == std::string::npos)
    first = check(endless("work", 3), seconds *= 2, true);
  ASSERT_EQ(first.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE) << first.text();
  const std::string summary = first.final_verdict()->scope().summary();
  ASSERT_NE(first.final_verdict()->message().find(clear), std::string::npos) << first.text();
  EXPECT_NE(summary.find("every interleaving with up to "), std::string::npos) << summary;
  const auto switches = [&](const Answer& answer) {
    const std::string& message = answer.final_verdict()->message();
    const size_t at = message.find(clear);
    return at == std::string::npos ? 0 : std::atoi(message.c_str() + at + clear.size());
  };
  EXPECT_GE(switches(first), 1) << first.text();
  const Answer more = check(endless("work", 3), 2 * seconds, true);
  EXPECT_EQ(more.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE) << more.text();
  EXPECT_GE(switches(more), switches(first)) << more.text();
  const auto& limits = more.final_verdict()->scope().limits();
  EXPECT_TRUE(std::any_of(limits.begin(), limits.end(), [](const std::string& limit) {
    return limit.find("of its steps are in work (") != std::string::npos;
  })) << more.text();
  const Answer race = check(kRace, 1.5);
  EXPECT_EQ(race.final_verdict()->scope().summary().find("preemptive"), std::string::npos) << "all was explored";
}

TEST_F(Again, AFindingEndsWithTheLastFunctionThatItNames) {
  ASSERT_EQ(check(kRace).rules(), std::vector<std::string>{"data-race"});
  const Answer other = check(endless("work"), 0.3);
  EXPECT_TRUE(other.rules().empty()) << other.text();
  EXPECT_EQ(other.fixed(), std::vector<std::string>{"data-race"});
  EXPECT_EQ(other.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE);
}

TEST_F(Again, AFindingStaysWithAFunctionThatItNames) {
  ASSERT_EQ(check(kRace).rules(), std::vector<std::string>{"data-race"});
  const Answer other = check(endless("adder"), 0.3);
  EXPECT_EQ(other.rules(), std::vector<std::string>{"data-race"}) << other.text();
  EXPECT_TRUE(other.fixed().empty());
}

}  // namespace
}  // namespace heddle::engine::test
