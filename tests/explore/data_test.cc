// Unknown inputs as expressions: how many executions there are, what is found, and with which inputs.
#include <gtest/gtest.h>

#include "tests/explore/c_program.h"

namespace heddle::explore {
namespace {

Explored explored(const std::string& text, machine::UnknownData data, bool matching = false) {
  Task task;
  task.mode = Mode::Full;
  task.machine.unknown_data = data;
  task.reductions.state_matching = matching;
  return run(CProgram(text), task);
}

// Each thread adds to one of two counters, by an unknown bit.
std::string counters(int threads, bool fine) {
  std::string text =
      "#include <pthread.h>\n"
      "_Bool __VERIFIER_nondet_bool(void);\n"
      "pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, two = PTHREAD_MUTEX_INITIALIZER;\n"
      "int first, second;\n"
      "void *worker(void *p) {\n"
      "  if (__VERIFIER_nondet_bool()) {\n"
      "    pthread_mutex_lock(&one); first++; pthread_mutex_unlock(&one);\n"
      "  } else {\n"
      "    pthread_mutex_lock(&OTHER); second++; pthread_mutex_unlock(&OTHER);\n"
      "  }\n"
      "  return 0;\n"
      "}\n"
      "int main(void) {\n"
      "  pthread_t t[4];\n"
      "  for (int n = 0; n < COUNT; n++) pthread_create(&t[n], 0, worker, 0);\n"
      "  for (int n = 0; n < COUNT; n++) pthread_join(t[n], 0);\n"
      "  return 0;\n"
      "}\n";
  return "#define COUNT " + std::to_string(threads) + "\n#define OTHER " + (fine ? "two" : "one") + "\n" + text;
}

TEST(Data, OneLockHasAllOrdersOfAllChoices) {
  const uint64_t expected[] = {8, 48, 384};  // N! * 2^N
  for (int threads = 2; threads <= 4; ++threads) {
    const Explored explored_one = explored(counters(threads, false), machine::UnknownData::Symbolic);
    EXPECT_EQ(explored_one.result.statistics.executions, expected[threads - 2]);
    EXPECT_TRUE(explored_one.findings.empty());
  }
}

TEST(Data, ALockForEachCounterHasTheOrdersOfThreadsThatChooseTheSame) {
  const uint64_t expected[] = {6, 24, 120};  // (N + 1)!
  for (int threads = 2; threads <= 4; ++threads) {
    const Explored explored_two = explored(counters(threads, true), machine::UnknownData::Symbolic);
    EXPECT_EQ(explored_two.result.statistics.executions, expected[threads - 2]);
  }
}

}  // namespace
}  // namespace heddle::explore
