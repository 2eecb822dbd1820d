// The arrows of the interleaving view: exactly the happens-before order of the machine, and no arrow too many.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "server/detect/order.h"
#include "tests/explore/c_program.h"

namespace heddle::detect {
namespace {

using explore::CProgram;
using machine::Machine;
using machine::Outcome;
using machine::ThreadId;

const std::string kText = R"(
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static sem_t ready;
static atomic_int flag, loose;
static int one, two;
static void *worker(void *arg) {
  for (int n = 0; n < 2; n++) {
    pthread_mutex_lock(&a);
    one++;
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&b);
    two++;
    pthread_mutex_unlock(&b);
    atomic_fetch_add_explicit(&loose, 1, memory_order_relaxed);
    atomic_store_explicit(&flag, n, memory_order_release);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 1) sem_post(&ready);
  }
  sem_post(&ready);
  return arg;
}
int main(void) {
  pthread_t s, t;
  sem_init(&ready, 0, 0);
  pthread_create(&s, 0, worker, 0);
  pthread_create(&t, 0, worker, 0);
  sem_wait(&ready);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return one + two;
}
)";

struct Step {
  EventNumber event;
  std::vector<EventNumber> arrows;
  std::map<uint32_t, uint32_t> ordered;  // thread -> how many of its operations are before, as the machine says
};

std::vector<Step> random_run(const CProgram& program, std::mt19937& random) {
  Machine machine(program.image, {});
  DirectOrder order;
  std::vector<Step> steps;
  while (machine.outcome() == Outcome::Running) {
    std::vector<ThreadId> enabled;
    for (uint32_t n = 0; n < machine.thread_count(); ++n) {
      if (machine.enabled(ThreadId(n))) enabled.push_back(ThreadId(n));
    }
    if (enabled.empty()) break;
    const ThreadId thread = enabled[random() % enabled.size()];
    machine.perform(thread);
    Step step;
    step.event = {thread, machine.event_count(thread)};
    step.arrows = order.performed(machine, thread);
    for (uint32_t other = 0; other < machine.thread_count(); ++other) {
      for (uint32_t n = 1; n <= machine.event_count(ThreadId(other)); ++n) {
        if (ThreadId(other) != thread && machine.ordered_before(ThreadId(other), n, thread)) step.ordered[other] = n;
      }
    }
    steps.push_back(std::move(step));
  }
  return steps;
}

// Everything before the event along program order and the given arrows, leaving out one arrow of the event itself.
std::map<uint32_t, uint32_t> closure(const std::vector<Step>& steps, const Step& of, const EventNumber* without) {
  std::map<EventNumber, const Step*> at;
  for (const Step& step : steps) at[step.event] = &step;
  std::map<uint32_t, uint32_t> before;
  std::vector<EventNumber> work;
  const auto visit = [&](const Step& step, const EventNumber* skip) {
    if (step.event.number > 1) work.push_back({step.event.thread, step.event.number - 1});
    for (const EventNumber& arrow : step.arrows) {
      if (skip == nullptr || arrow != *skip) work.push_back(arrow);
    }
  };
  std::set<EventNumber> seen;
  visit(of, without);
  while (!work.empty()) {
    const EventNumber event = work.back();
    work.pop_back();
    if (!seen.insert(event).second) continue;
    if (event.thread != of.event.thread)
      before[event.thread.value] = std::max(before[event.thread.value], event.number);
    visit(*at.at(event), nullptr);
  }
  return before;
}

TEST(DirectOrder, ClosureIsTheMachinesOrderAndNoArrowIsImplied) {
  const CProgram program(kText);
  const uint32_t seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  size_t arrows = 0;
  for (int run = 0; run < 40; ++run) {
    const std::vector<Step> steps = random_run(program, random);
    ASSERT_GT(steps.size(), 20u);
    for (const Step& step : steps) {
      ASSERT_EQ(closure(steps, step, nullptr), step.ordered)
          << "thread " << step.event.thread.value << " step " << step.event.number;
      for (const EventNumber& arrow : step.arrows) {
        ++arrows;
        ASSERT_NE(closure(steps, step, &arrow), step.ordered)
            << "thread " << step.event.thread.value << " step " << step.event.number;
      }
    }
  }
  EXPECT_GT(arrows, 200u);
}

TEST(TraceOrder, RacingStepsHaveNoPathAndLocksHaveArrows) {
  const explore::Explored all = run_full(CProgram(R"(
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int safe, racy;
static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  safe++;
  pthread_mutex_unlock(&m);
  racy = 1;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  racy = 2;
  pthread_mutex_lock(&m);
  safe++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return safe;
}
)"));
  const Finding* race = all.of("data-race");
  ASSERT_NE(race, nullptr);
  // before[n]: the rows that happen before row n.
  std::vector<std::set<uint32_t>> before(race->trace.size());
  std::map<uint32_t, uint32_t> last;
  std::vector<uint32_t> decisive;
  size_t racy = 0;
  for (uint32_t n = 0; n < race->trace.size(); ++n) {
    const TraceStep& step = race->trace[n];
    std::vector<uint32_t> direct = step.after;
    if (last.count(step.thread_number)) direct.push_back(last[step.thread_number]);
    for (const uint32_t row : direct) {
      ASSERT_LT(row, n);
      before[n].insert(before[row].begin(), before[row].end());
      before[n].insert(row);
    }
    last[step.thread_number] = n;
    if (step.decisive) decisive.push_back(n);
    if (step.object == "racy") {
      ++racy;
      EXPECT_TRUE(step.value_written == "1" || step.value_written == "2") << step.value_written;
    }
  }
  ASSERT_EQ(decisive.size(), 2u);
  EXPECT_EQ(racy, 2u);
  EXPECT_EQ(before[decisive[1]].count(decisive[0]), 0u);
  // The thread's first step comes after its creation.
  for (const TraceStep& step : race->trace) {
    if (step.thread_number == 1) {
      ASSERT_EQ(step.after.size(), 1u);
      EXPECT_EQ(race->trace[step.after[0]].action.rfind("create thread", 0), 0u);
      break;
    }
  }
}

// Also if that step is a plain access before its first visible operation, or only what it waits for at the end.
TEST(TraceOrder, FirstStepOfEachThreadComesAfterItsCreation) {
  const std::string start =
      "#include <pthread.h>\n#include <assert.h>\nstatic int total, other, first;\n"
      "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
  const std::string bodies[] = {
      // plain accesses and nothing else
      "static void *a(void *p) { total++; return p; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, a, 0); total++; pthread_join(t, 0); return 0; }",
      // before its lock, of two threads
      "static void *a(void *p) { other = first; total++; pthread_mutex_lock(&m); other++; pthread_mutex_unlock(&m);\n"
      "  return p; }\n"
      "int main(void) { pthread_t s, t; first = 1; pthread_create(&s, 0, a, 0); pthread_create(&t, 0, a, 0);\n"
      "  pthread_join(s, 0); pthread_join(t, 0); return other; }",
      // created by a thread that is no main thread
      "static void *b(void *p) { total++; return p; }\n"
      "static void *a(void *p) { pthread_t t; pthread_create(&t, 0, b, 0); total++; pthread_join(t, 0); return p; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, a, 0); pthread_join(t, 0); return total; }",
      // no step of its own but the end
      "static void *a(void *p) { pthread_mutex_lock(&m); return p; }\n"
      "int main(void) { pthread_t t; pthread_mutex_lock(&m); pthread_create(&t, 0, a, 0); pthread_join(t, 0);\n"
      "  return 0; }",
  };
  for (const std::string& body : bodies) {
    SCOPED_TRACE(body);
    const explore::Explored all = run_full(CProgram(start + body));
    ASSERT_FALSE(all.findings.empty());
    for (const Finding& finding : all.findings) {
      std::set<uint32_t> seen{0};
      for (const TraceStep& step : finding.trace) {
        if (!seen.insert(step.thread_number).second) continue;
        ASSERT_EQ(step.after.size(), 1u) << finding.message << ": " << step.thread << ": " << step.action;
        EXPECT_EQ(finding.trace[step.after[0]].action.rfind("create thread", 0), 0u) << finding.message;
      }
      EXPECT_GT(seen.size(), 1u) << finding.message;
    }
  }
}

}  // namespace
}  // namespace heddle::detect
