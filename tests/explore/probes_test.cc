// Executions in advance: what they find early, that they are executions of the program, and that nothing else changes.
#include "server/explore/probes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "tests/explore/c_program.h"
#include "tests/explore/c_threads.h"
#include "tests/explore/random_toy.h"

namespace heddle::explore {
namespace {

using toy::Code;
using toy::Program;
using toy::Thread;

// A toy whose operations have places: the thread and the position in it.
class PlacedToy : public toy::Toy {
 public:
  using Toy::Toy;
  const machine::Operation& pending(machine::ThreadId id) {
    operation_ = Toy::pending(id);
    operation_.at = {machine::CodeAddress{program::FunctionId(id.value), position(id)}};
    return operation_;
  }

 private:
  machine::Operation operation_;
};

struct Recorder {
  PlacedToy& toy;
  std::vector<std::string> ends = {};
  bool stuck = false, faulted = false;

  bool relevant(const machine::Operation&) { return true; }
  bool stepped(machine::ThreadId) { return true; }
  void ended(PathEnd how) {
    ends.push_back(toy.describe());
    stuck |= how == PathEnd::Stuck && any_alive();
    faulted |= how == PathEnd::Faulted;
  }
  bool any_alive() {
    for (uint32_t n = 0; n < toy.thread_count(); ++n)
      if (toy.status(machine::ThreadId(n)) != machine::ThreadStatus::Ended) return true;
    return false;
  }
};

Recorder probe(PlacedToy& toy, uint64_t executions) {
  Recorder recorder{toy};
  Statistics statistics;
  const auto start = toy.mark();
  Probes<PlacedToy, Recorder> probes(toy, recorder, start, statistics);
  EXPECT_TRUE(probes.run(~uint64_t{0} / 2, executions));
  EXPECT_EQ(statistics.executions, 0u);  // counted apart
  EXPECT_GE(statistics.probes, executions);
  return recorder;
}

// All final states, by every choice at every state.
void all_ends(toy::Toy& toy, std::set<std::string>& seen, std::set<std::string>& ends) {
  if (!seen.insert(toy.describe()).second) return;
  bool any = false;
  if (toy.outcome() == machine::Outcome::Running)
    for (uint32_t n = 0; n < toy.thread_count(); ++n) {
      const machine::ThreadId thread(n);
      if (!toy.enabled(thread)) continue;
      any = true;
      const uint32_t alternatives = toy.pending(thread).alternatives;
      for (uint32_t alternative = 0; alternative < alternatives; ++alternative) {
        toy::Toy next = toy;
        next.perform(thread, alternative);
        all_ends(next, seen, ends);
      }
    }
  if (!any) ends.insert(toy.describe());
}

TEST(Probes, AreExecutionsOfTheProgram) {
  const uint32_t seed = toy::seed_of("Probes.AreExecutionsOfTheProgram", 26);
  std::mt19937 random(seed);
  size_t several = 0;
  for (int n = 0; n < 300; ++n) {
    const Program program = toy::random_program(random, true);
    PlacedToy toy(program);
    std::set<std::string> seen, ends;
    toy::Toy whole(program);
    all_ends(whole, seen, ends);
    const Recorder recorder = probe(toy, 20);
    for (const std::string& end : recorder.ends) EXPECT_TRUE(ends.contains(end)) << "program " << n;
    several += std::set(recorder.ends.begin(), recorder.ends.end()).size() > 1;
  }
  EXPECT_GT(several, 100u);
}

TEST(Probes, AreTheSameEachTime) {
  std::mt19937 random(5);
  for (int n = 0; n < 50; ++n) {
    const Program program = toy::random_program(random, true);
    PlacedToy first(program), second(program);
    EXPECT_EQ(probe(first, 12).ends, probe(second, 12).ends);
  }
}

// A long way to the place where the order matters, so that chance finds it once in many executions.
Thread after_a_long_way(uint32_t thread, Thread then) {
  Thread result;
  for (int n = 0; n < 60; ++n) result.push_back({Code::Add, 4 + static_cast<int>(thread), 1});
  result.insert(result.end(), then.begin(), then.end());
  for (int n = 0; n < 60; ++n) result.push_back({Code::Add, 4 + static_cast<int>(thread), 1});
  return result;
}

TEST(Probes, LocksInOppositeOrderAreTriedEarly) {
  const Program program{
      .threads = {after_a_long_way(0, {{Code::Lock, 0}, {Code::Lock, 1}, {Code::Unlock, 1}, {Code::Unlock, 0}}),
                  after_a_long_way(1, {{Code::Lock, 1}, {Code::Lock, 0}, {Code::Unlock, 0}, {Code::Unlock, 1}})}};
  PlacedToy toy(program);
  EXPECT_TRUE(probe(toy, 6).stuck);
}

TEST(Probes, ASignalIsTriedBeforeItsWait) {
  const Program program{.threads = {{{Code::Lock, 0}, {Code::Wait, 0, 0}, {Code::Unlock, 0}},
                                    after_a_long_way(1, {{Code::Lock, 0}, {Code::Signal, 0}, {Code::Unlock, 0}})}};
  PlacedToy toy(program);
  EXPECT_TRUE(probe(toy, 8).stuck);
}

// Some errors need threads that take turns at each step, others a thread that is held up for long.
TEST(Probes, AtRandomSwitchOftenOrRarely) {
  struct Switches : Recorder {
    uint32_t running = 0, switches = 0;
    std::vector<uint32_t> by_probe{};
    bool stepped(machine::ThreadId thread) {
      switches += thread.value != running;
      running = thread.value;
      return true;
    }
    void ended(PathEnd) { by_probe.push_back(std::exchange(switches, 0)); }
  };
  const Program program{.threads = {after_a_long_way(0, {}), after_a_long_way(1, {})}};
  PlacedToy toy(program);
  Switches seen{{toy}};
  Statistics statistics;
  const auto start = toy.mark();
  Probes<PlacedToy, Switches> probes(toy, seen, start, statistics);
  EXPECT_TRUE(probes.run(~uint64_t{0} / 2, 20));
  const auto rarely = [](uint32_t switches) { return switches < 12; };
  EXPECT_EQ(std::count_if(seen.by_probe.begin(), seen.by_probe.end(), rarely), 10);
  EXPECT_GT(*std::max_element(seen.by_probe.begin(), seen.by_probe.end()), 80u);
}

// A signal that another kind of thread should have had: all wait in the end. Found by chance once in 600 executions.
const char* const kOneCondition = R"(#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int used;
static void* fill(void* argument) {
  for (int i = 0; i < 4; i++) {
    pthread_mutex_lock(&lock);
    while (used == 2) pthread_cond_wait(&changed, &lock);
    used++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  return argument;
}
static void* empty(void* argument) {
  for (int i = 0; i < 4; i++) {
    pthread_mutex_lock(&lock);
    while (used == 0) pthread_cond_wait(&changed, &lock);
    used--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  return argument;
}
int main(void) {
  pthread_t threads[6];
  for (int i = 0; i < 6; i++) pthread_create(&threads[i], 0, i < 3 ? fill : empty, 0);
  for (int i = 0; i < 6; i++) pthread_join(threads[i], 0);
  return 0;
})";

TEST(Probes, ASignalWakesAThreadOfTheWrongKind) {
  Task task;
  task.stop_at_first = true;
  task.minimise = false;
  const Explored explored = run(CProgram(kOneCondition), task);
  EXPECT_EQ(explored.rules(), std::set<std::string>{"lost-signal"});
  EXPECT_LT(explored.result.statistics.first_finding.executions, 400u);
}

TEST(Probes, RanksFollowWhatThePairsAre) {
  using machine::OperationKind;
  const auto rank = [](OperationKind earlier, OperationKind later, bool nested = false, bool signals = false) {
    machine::Operation a, b;
    a.kind = earlier;
    b.kind = later;
    return rank_of(a, b, nested, signals);
  };
  EXPECT_EQ(rank(OperationKind::Wait, OperationKind::Signal), PairRank::WaitAndSignal);
  EXPECT_EQ(rank(OperationKind::SemaphoreWait, OperationKind::SemaphorePost), PairRank::WaitAndSignal);
  EXPECT_EQ(rank(OperationKind::Lock, OperationKind::Lock, false, true), PairRank::WaitAndSignal);
  EXPECT_EQ(rank(OperationKind::AtomicUpdate, OperationKind::AtomicRead), PairRank::ReadAndWrite);
  EXPECT_EQ(rank(OperationKind::Write, OperationKind::AtomicWrite), PairRank::Writes);
  EXPECT_EQ(rank(OperationKind::Lock, OperationKind::WriteLock, true), PairRank::NestedLocks);
  EXPECT_EQ(rank(OperationKind::Lock, OperationKind::TryLock), PairRank::Locks);
  EXPECT_EQ(rank(OperationKind::Create, OperationKind::Join), PairRank::Rest);
}

TEST(Probes, AReadIsTriedBetweenTwoWrites) {
  const Program program{.threads = {after_a_long_way(0, {{Code::Set, 0, 1}, {Code::Set, 0, 2}}),
                                    after_a_long_way(1, {{Code::Read, 0}, {Code::AssertNot, 0, 1}})}};
  PlacedToy toy(program);
  EXPECT_TRUE(probe(toy, 8).faulted);
}

const char* const kFourWorkers = R"(#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum, last;
static void* work(void* argument) {
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&lock);
    sum++;
    last = *(int*)argument;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}
int main(void) {
  pthread_t threads[4];
  int numbers[4] = {0, 1, 2, 3};
  for (int i = 0; i < 4; i++) pthread_create(&threads[i], 0, work, &numbers[i]);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], 0);
  assert(sum == 4 * ROUNDS);
  ASSERTION
  return 0;
})";

std::string four_workers(const std::string& rounds, const std::string& assertion) {
  return "#define ROUNDS " + rounds + "\n#define ASSERTION " + assertion + "\n" + kFourWorkers;
}

// One round ends within the search by executions, two rounds take the search by states.
TEST(Probes, ChangeNothingElse) {
  for (const char* rounds : {"1", "2"}) {
    for (const char* assertion : {"", "assert(last != 0);"}) {
      const CProgram program(four_workers(rounds, assertion));
      Reductions without;
      without.probes = false;
      const Explored with_probes = run_full(program), plain = run_full(program, without);
      EXPECT_EQ(with_probes.result.statistics.executions, plain.result.statistics.executions);
      EXPECT_EQ(with_probes.result.statistics.states, plain.result.statistics.states);
      EXPECT_EQ(with_probes.result.completeness, plain.result.completeness);
      EXPECT_EQ(with_probes.rules(), plain.rules());
      EXPECT_GT(with_probes.result.statistics.probes, 0u);
      EXPECT_EQ(plain.result.statistics.probes, 0u);
    }
  }
}

// The first execution has 200,000 steps. At its end nothing leads soon to the race, which is at its begin.
TEST(Probes, ComeBeforeALongExecution) {
  const CProgram program(
      threads(2, "static atomic_int x; static int racy;",
              "if (n == 0) racy = 1; else { x++; racy = 2; } for (int i = 0; i < 100000; i++) x++;"));
  Task task;
  task.stop_at_first = true;
  const Explored seen = run(program, task);
  EXPECT_EQ(seen.rules(), std::set<std::string>{"data-race"});
  EXPECT_LT(seen.result.statistics.first_finding.states, 40'000u);
}

TEST(Probes, FindSoonerThanTheSearch) {
  const CProgram program(four_workers("3", "assert(last != 0);"));
  Reductions without;
  without.probes = false;
  const auto first = [&](const Reductions& reductions) {
    Task task;
    task.reductions = reductions;
    task.stop_at_first = true;
    return run(program, task).result.statistics.first_finding.executions;
  };
  EXPECT_LT(first({}) * 10, first(without));
}

}  // namespace
}  // namespace heddle::explore
