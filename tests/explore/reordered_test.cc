// Going on from another order: what the engine answers when a choice is moved before another one.
#include "server/explore/reordered.h"

#include <gtest/gtest.h>

#include "server/detect/visible.h"
#include "tests/explore/c_program.h"

namespace heddle::explore {
namespace {

using detect::Finding;
using detect::TraceStep;

const std::string kHead = "#include <assert.h>\n#include <pthread.h>\n";

// main starts two threads with the given bodies and joins them.
std::string two(const std::string& globals, const std::string& first, const std::string& second,
                const std::string& last = "") {
  return kHead + globals + "\nstatic void *first(void *p) {\n" + first +
         "\nreturn p; }\nstatic void *second(void *p) {\n" + second +
         "\nreturn p; }\nint main(void) { pthread_t a, b; pthread_create(&a, 0, first, 0); pthread_create(&b, 0, "
         "second, "
         "0); pthread_join(a, 0); pthread_join(b, 0); " +
         last + " return 0; }\n";
}

class Reordered : public ::testing::Test {
 protected:
  // The finding of the rule, and everything about it that is asked for later.
  const Finding& find(const std::string& text, const std::string& rule) {
    program_.emplace(text);
    explored_ = run_full(*program_);
    const Finding* found = explored_.of(rule);
    EXPECT_NE(found, nullptr) << rule;
    static const Finding nothing;
    return found == nullptr ? nothing : *found;
  }

  Finding go_on(const Finding& finding, uint32_t choice, uint32_t before) {
    Task task;
    task.visible = detect::visible_addresses(*program_->program, finding.visible);  // as the schedule was made
    task.budget.seconds = 5;
    Finding told;
    int count = 0;
    Listener listener;
    listener.finding = [&](const Finding& one) { told = one, ++count; };
    explore_reordered(program_->image, finding.schedule, {choice - 1, before - 1}, task, listener);
    EXPECT_EQ(count, 1);
    return told;
  }

  // The choice of the step of this thread's function and kind.
  static uint32_t choice_of(const Finding& finding, const std::string& function, const std::string& kind) {
    for (const TraceStep& step : finding.trace)
      if (step.place.function == function && step.kind == kind && step.choice > 0) return step.choice;
    ADD_FAILURE() << "no " << kind << " in " << function;
    return 1;
  }

  static std::vector<std::string> order(const Finding& finding, const std::string& kind) {
    std::vector<std::string> out;
    for (const TraceStep& step : finding.trace)
      if (step.kind == kind) out.push_back(step.place.function);
    return out;
  }

  std::optional<CProgram> program_;
  Explored explored_;
};

const std::string kMutexes =
    "static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\nstatic int x;";
std::string both(const std::string& one, const std::string& other) {
  return "pthread_mutex_lock(&" + one + "); pthread_mutex_lock(&" + other + "); pthread_mutex_unlock(&" + other +
         "); pthread_mutex_unlock(&" + one + ");";
}

TEST_F(Reordered, EachStepNamesItsChoice) {
  const Finding& deadlock = find(two(kMutexes, both("a", "b"), both("b", "a")), "deadlock");
  for (const TraceStep& step : deadlock.trace) {
    if (step.kind == "end") continue;
    ASSERT_GE(step.choice, 1u) << step.action;
    ASSERT_LE(step.choice, deadlock.schedule.size());
    EXPECT_EQ(deadlock.schedule[step.choice - 1].thread.value, step.thread_number) << step.action;
  }
}

TEST_F(Reordered, ADeadlockGoesAwayWhenOneThreadIsThroughFirst) {
  const Finding& deadlock = find(two(kMutexes, both("a", "b"), both("b", "a")), "deadlock");
  const uint32_t one = choice_of(deadlock, "first", "lock"), other = choice_of(deadlock, "second", "lock");
  const Finding moved = go_on(deadlock, std::max(one, other), std::min(one, other));
  EXPECT_FALSE(moved.trace.empty()) << moved.message;
  EXPECT_EQ(moved.rule, "deadlock") << "both still hold one mutex each";
  EXPECT_GT(moved.moved, 0u);
  ASSERT_GE(order(moved, "lock").size(), 2u);
  EXPECT_NE(order(moved, "lock")[0], order(deadlock, "lock")[0]) << "the locks are taken in the other order";
}

TEST_F(Reordered, WhatHappensBeforeCannotComeLater) {
  const Finding& race =
      find(two(kMutexes, "pthread_mutex_lock(&a); x = 1; pthread_mutex_unlock(&a);", "x = 2;"), "data-race");
  uint32_t create = 0, later = 0;
  for (const TraceStep& step : race.trace) {
    if (step.kind == "create" && create == 0) create = step.choice;
    if (step.place.function == "first" && step.kind == "lock") later = step.choice;
  }
  if (later == 0) later = static_cast<uint32_t>(race.schedule.size());
  ASSERT_GT(create, 0u);
  ASSERT_GT(later, create);
  const Finding told = go_on(race, later, create);
  EXPECT_TRUE(told.trace.empty());
  EXPECT_EQ(told.message, "the one happens before the other");
}

TEST_F(Reordered, AnAssertionThatFailedHolds) {
  const std::string check = "int seen; pthread_mutex_lock(&a); seen = x; pthread_mutex_unlock(&a); assert(seen == 1);";
  const Finding& failed =
      find(two(kMutexes, "pthread_mutex_lock(&a); x = 1; pthread_mutex_unlock(&a);", check), "assertion");
  // The schedule ends where the assertion fails: the other thread's steps are not in it, so there is nothing to move
  // but within it. The first lock of the reader before the creation of its own thread is impossible.
  const uint32_t lock = choice_of(failed, "second", "lock");
  const Finding told = go_on(failed, lock, 1);
  EXPECT_TRUE(told.trace.empty());
}

TEST_F(Reordered, ARunWithoutAnErrorSaysSoAndHasItsInterleaving) {
  // The reader sees half of the writer's two steps; with its steps before them it sees none.
  const std::string writer =
      "pthread_mutex_lock(&a); x = 1; pthread_mutex_unlock(&a); pthread_mutex_lock(&a); x = 2; "
      "pthread_mutex_unlock(&a);";
  const std::string reader = "pthread_mutex_lock(&a); int seen = x; pthread_mutex_unlock(&a); assert(seen != 1);";
  const Finding& failed = find(two(kMutexes, writer, reader), "assertion");
  const uint32_t reads = choice_of(failed, "second", "lock"), writes = choice_of(failed, "first", "lock");
  ASSERT_GT(reads, writes);
  const Finding told = go_on(failed, reads, writes);
  // The lock of the reader comes after the unlock of the writer: a mutex orders the two.
  EXPECT_EQ(told.message, "the one happens before the other");
}

TEST_F(Reordered, ASignalThatComesInTimeIsNotLost) {
  const std::string globals =
      "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t c = PTHREAD_COND_INITIALIZER;";
  const Finding& lost =
      find(two(globals, "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);",
               "pthread_cond_signal(&c);"),
           "lost-signal");
  const uint32_t waits = choice_of(lost, "first", "lock"), signals = choice_of(lost, "second", "signal");
  if (waits < signals) return;  // already so
  const Finding told = go_on(lost, waits, signals);
  EXPECT_FALSE(told.trace.empty()) << told.message;
  EXPECT_LT(choice_of(told, "first", "lock"), choice_of(told, "second", "signal"));
}

// Whatever is moved: there is an answer, and an interleaving that was run has the moved choice where it was asked for.
TEST_F(Reordered, EveryPairOfChoicesHasAnAnswer) {
  const std::string first = "pthread_mutex_lock(&a); x++; pthread_mutex_unlock(&a);" + both("a", "b");
  const Finding& deadlock = find(two(kMutexes, first, both("b", "a")), "deadlock");
  size_t possible = 0, impossible = 0;
  for (uint32_t choice = 1; choice <= deadlock.schedule.size(); ++choice)
    for (uint32_t before = 1; before < choice; ++before) {
      const Finding told = go_on(deadlock, choice, before);
      if (told.trace.empty()) {
        ++impossible;
        EXPECT_FALSE(told.message.empty());
        continue;
      }
      ++possible;
      ASSERT_GE(told.moved, 1u);
      ASSERT_LE(told.moved, told.schedule.size());
      EXPECT_EQ(told.schedule[told.moved - 1].thread, deadlock.schedule[choice - 1].thread);
      EXPECT_LE(told.moved, choice);
      for (size_t n = 0; n + 1 < before; ++n) EXPECT_EQ(told.schedule[n], deadlock.schedule[n]);
    }
  EXPECT_GT(possible, 0u);
  EXPECT_GT(impossible, 0u);
}

std::vector<const TraceStep*> decisive(const Finding& finding) {
  std::vector<const TraceStep*> out;
  for (const TraceStep& step : finding.trace)
    if (step.decisive) out.push_back(&step);
  return out;
}

// Whether a scheduling point is between them or not: main's access is in the choice that creates the other thread.
TEST_F(Reordered, TheAccessesOfARaceComeInTheOtherOrder) {
  const std::string main_too = "int main(void) { pthread_t a; pthread_create(&a, 0, first, 0); ";
  const std::string begin = kHead +
                            "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int x, y;\n"
                            "struct item { int flags, other; };\n#include <stdlib.h>\n"
                            "static void *first(void *p) { ";
  const std::string end = " pthread_join(a, 0); return 0; }\n";
  const std::string programs[] = {
      begin + "x++; return p; }\n" + main_too + "x++;" + end,
      begin + "x++; return p; }\n" + main_too + "y = 1; x = 3; y = x;" + end,
      begin + "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return p; }\n" + main_too + "x++;" + end,
      begin +
          "((struct item *)p)->flags++; return p; }\nint main(void) { pthread_t a; struct item *it = "
          "calloc(1, sizeof *it); pthread_create(&a, 0, first, it); it->flags = 2;" +
          end,
      // An earlier race in the interleaving.
      begin + "y++; pthread_mutex_lock(&m); pthread_mutex_unlock(&m); x++; return p; }\n" + main_too + "y++; x++;" +
          end,
      two("static int x;", "x++;", "x++;"),
  };
  for (const std::string& text : programs) {
    SCOPED_TRACE(text);
    program_.emplace(text);
    explored_ = run_full(*program_);
    size_t races = 0;
    for (const Finding& race : explored_.findings) {
      const auto steps = decisive(race);
      if (race.rule != "data-race" || steps.size() != 2 || steps[0]->choice == 0 || steps[1]->choice == 0) continue;
      ++races;
      const Finding told = go_on(race, steps[1]->choice, steps[0]->choice);
      EXPECT_FALSE(told.trace.empty()) << told.message;
      const auto is_passed = [&](const TraceStep& step) {
        return step.object == steps[0]->object && step.kind == steps[0]->kind &&
               step.thread_number == steps[0]->thread_number;
      };
      const auto passed = std::find_if(told.trace.begin(), told.trace.end(), is_passed);
      const auto moved = std::find_if(told.trace.begin(), told.trace.end(),
                                      [&](const TraceStep& step) { return step.choice == told.moved; });
      ASSERT_NE(moved, told.trace.end());
      EXPECT_EQ(moved->thread_number, steps[1]->thread_number);
      EXPECT_EQ(moved->object, steps[1]->object);
      EXPECT_LT(moved, passed) << "it comes first";
    }
    EXPECT_GT(races, 0u);
  }
}

// What a thread of a deadlock waits for can come before the other took it.
TEST_F(Reordered, WhatIsWaitedForAtTheEndComesBeforeItWasTaken) {
  const Finding& deadlock = find(two(kMutexes, both("a", "b"), both("b", "a")), "deadlock");
  for (const char* const function : {"first", "second"}) {
    const std::string other = std::string(function) == "first" ? "second" : "first";
    const auto last = std::find_if(deadlock.trace.begin(), deadlock.trace.end(), [&](const TraceStep& step) {
      return step.kind == "end" && step.place.function == function;
    });
    ASSERT_NE(last, deadlock.trace.end());
    const auto next = static_cast<uint32_t>(Move::kNext) + last->thread_number + 1;
    const uint32_t mine = choice_of(deadlock, function, "lock"), theirs = choice_of(deadlock, other, "lock");
    const Finding told = go_on(deadlock, next, theirs);
    if (mine < theirs) {
      EXPECT_EQ(told.message, "no error: the program runs to its end");
      EXPECT_EQ(told.rule, "");
    } else {
      EXPECT_FALSE(told.trace.empty()) << "its own lock comes with it";
    }
    EXPECT_TRUE(go_on(deadlock, theirs, next).trace.empty()) << "it is not done: nothing comes before it there";
  }
}

TEST_F(Reordered, AScheduleThatIsNoneIsSaid) {
  const Finding& race = find(two(kMutexes, "x = 1;", "x = 2;"), "data-race");
  Finding strange = race;
  for (auto& choice : strange.schedule) choice.thread = machine::ThreadId(9);
  EXPECT_EQ(go_on(strange, 2, 1).message, "the program is not the one that the interleaving was recorded for");
  EXPECT_TRUE(go_on(race, 1, 2).trace.empty());
  EXPECT_TRUE(go_on(race, static_cast<uint32_t>(race.schedule.size()) + 5, 1).trace.empty());
}

// --- the calls of each step ---

std::vector<std::string> calls(const Finding& finding, const TraceStep& step) {
  std::vector<std::string> out = {step.place.function};
  for (uint32_t at = step.caller; at > 0; at = finding.frames[at - 1].caller)
    out.push_back(finding.frames[at - 1].place.function);
  return out;
}

// Called from two places between two scheduling points: which of them it is is not said.
TEST_F(Reordered, NoCallerIsSaidThatIsNotSure) {
  const std::string globals =
      "static int x, y;\nstatic void bump(void) { y++; }\n"
      "static void left(void) { bump(); }\nstatic void right(void) { bump(); }\n";
  const Finding& race = find(two(globals, "left(); right(); x = 1;", "x = 2;"), "data-race");
  for (const TraceStep& step : race.trace) {
    if (step.place.function != "bump" || !step.calls_known) continue;
    const auto path = calls(race, step);
    EXPECT_TRUE(path[1] == "left" || path[1] == "right");
  }
}

}  // namespace
}  // namespace heddle::explore
