// What an exploration costs: thread-local work is done once per strategy, and memory is given back.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

#include "server/analysis/analysis.h"
#include "server/explore/explore.h"
#include "tests/support/compile_text.h"

namespace heddle::explore {
namespace {

// Two threads, each with a million instructions of a loop over its own array between two locks.
const char* kLocalWork =
    "#include <pthread.h>\n"
    "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    "static int done;\n"
    "static void *work(void *p) {\n"
    "  unsigned v[64] = {0};\n"
    "  for (unsigned i = 0; i < 200000; i++) v[i & 63] += i ^ v[(i + 1) & 63];\n"
    "  pthread_mutex_lock(&m);\n"
    "  done += v[3] & 1;\n"
    "  pthread_mutex_unlock(&m);\n"
    "  return p;\n"
    "}\n"
    "int main(void) {\n"
    "  pthread_t t;\n"
    "  pthread_create(&t, 0, work, 0);\n"
    "  work(0);\n"
    "  pthread_join(t, 0);\n"
    "  return 0;\n"
    "}\n";

// Instructions of the loops alone: what one run under one schedule takes.
uint64_t instructions_of_one_run(const machine::ImagePtr& image) {
  machine::Machine m(image, {});
  while (m.outcome() == machine::Outcome::Running)
    for (uint32_t id = 0; id < m.thread_count(); ++id)
      if (m.enabled(machine::ThreadId(id))) {
        m.perform(machine::ThreadId(id));
        break;
      }
  return m.instructions();
}

class Cost : public ::testing::TestWithParam<Mode> {};

TEST_P(Cost, LocalWorkIsDoneOncePerThread) {
  const program::ProgramPtr program = test::program_of(kLocalWork);
  const analysis::FactsPtr facts = analysis::analyse(program);
  const machine::ImagePtr image = machine::make_image(program, facts);
  const uint64_t once = instructions_of_one_run(image);
  ASSERT_GT(once, 2'000'000u);
  Task task;
  task.mode = GetParam();
  if (task.mode == Mode::Random) task.budget.executions_max = 5;
  const Result result = explore(image, facts.get(), task, {});
  EXPECT_GE(result.statistics.executions, 2u) << "both orders of the critical sections";
  // Random walks begin anew; the others go back to states that the loops are behind of.
  const uint64_t runs = task.mode == Mode::Random ? result.statistics.executions : 1;
  EXPECT_LT(result.statistics.instructions, once * runs + once / 100) << result.statistics.executions << " executions";
}
INSTANTIATE_TEST_SUITE_P(Modes, Cost, ::testing::Values(Mode::Full, Mode::Affected, Mode::Random));

uint64_t resident_bytes() {
  unsigned long size = 0, resident = 0;
  FILE* statm = std::fopen("/proc/self/statm", "re");
  if (statm == nullptr || std::fscanf(statm, "%lu %lu", &size, &resident) != 2) resident = 0;
  if (statm != nullptr) std::fclose(statm);
  return uint64_t{resident} * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

// In a forked child, as an explorer is; its exit code is what it needs in MB, 200 + that for what it keeps.
TEST(Memory, AnExplorerIsSmallAndFreesWhatItTook) {
  const program::ProgramPtr program = test::program_of(kLocalWork);
  const analysis::FactsPtr facts = analysis::analyse(program);
  const machine::ImagePtr image = machine::make_image(program, facts);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    constexpr uint64_t kMegabyte = 1 << 20;
    const uint64_t before = resident_bytes();
    uint64_t with = 0;
    for (int n = 0; n < 20; ++n) {
      machine::Machine m(image, {});
      with = std::max(with, resident_bytes());
    }
    Task task;
    explore(image, facts.get(), task, {});
    const uint64_t kept = resident_bytes() - std::min(before, resident_bytes());
    if (kept > 10 * kMegabyte) ::_exit(static_cast<int>(std::min<uint64_t>(200 + kept / kMegabyte, 255)));
    ::_exit(static_cast<int>(std::min<uint64_t>((with - before) / kMegabyte, 199)));
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_LT(WEXITSTATUS(status), 200) << "MB are kept";
  EXPECT_LT(WEXITSTATUS(status), 30) << "MB are needed at the start";
}

// What main does to atomics before it starts a thread is ordered before all that any other thread does: nothing is kept of
// it but the values. In a forked child, whose exit code is the MB that the start took.
class LongStart : public ::testing::TestWithParam<const char*> {};

TEST_P(LongStart, KeepsNothingOfAtomicAccesses) {
  const std::string text = std::string(
                               "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"
                               "struct item { _Atomic int sent; _Atomic long got; };\n"
                               "static _Atomic int n[200000]; static struct item items[100000];\n"
                               "static void *work(void *p) { atomic_fetch_add(&n[7], 1); return p; }\n"
                               "int main(void) {\n") +
                           GetParam() +
                           "  pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); return 0;\n}\n";
  const program::ProgramPtr program = test::program_of(text);
  const machine::ImagePtr image = machine::make_image(program, analysis::analyse(program));
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    machine::Machine m(image, {});
    const uint64_t before = resident_bytes();
    while (m.outcome() == machine::Outcome::Running && m.thread_count() == 1) m.perform(machine::ThreadId(0));
    ::_exit(m.thread_count() == 1 ? 255 : static_cast<int>(std::min<uint64_t>((resident_bytes() - before) >> 20, 254)));
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_LT(WEXITSTATUS(status), 60) << "MB for 200,000 accesses";
}
INSTANTIATE_TEST_SUITE_P(
    Accesses, LongStart,
    ::testing::Values(
        "  for (int i = 0; i < 200000; i++) { int no = 0; atomic_compare_exchange_strong(&n[i], &no, i); }\n"));

}  // namespace
}  // namespace heddle::explore
