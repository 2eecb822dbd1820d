// What a check explores in which order, what it leaves owed, and what makes up for it.
#include "server/base/clock.h"
#include "tests/engine/check_fixture.h"

namespace heddle::engine::test {
namespace {

TEST_F(Check, Step2IsOwedWhenNobodyWaitsForIt) {
  // One at a time, or a search of everything is begun before the pairs; or the background does it before anybody asks.
  restart({{{"HEDDLE_BACKGROUND_SECONDS", "0.000001"}, {"HEDDLE_EXPLORERS", "1"}}, 0});
  folder_.write("a.c", larger());
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_no_wait_step2(true);
  const Answer quick = engine_->check(request);
  EXPECT_EQ(quick.final_verdict()->scope().step2(), v1::STEP_INCOMPLETE);
  restart();
  const Answer whole = engine_->check(folder_.file("a.c"));
  EXPECT_EQ(whole.final_verdict()->scope().step2(), v1::STEP_COMPLETE);
  EXPECT_EQ(whole.final_verdict()->scope().pairs_explored(), 0u);
  EXPECT_GT(whole.final_verdict()->scope().pairs_reused(), 0u);
}

TEST_F(Check, Step2ThatIsSmallAndFindsNothingCoversThePairs) {
  folder_.write("a.c", kLocked);
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_no_wait_step2(true);
  const Answer quick = engine_->check(request);
  const v1::Verdict& verdict = *quick.final_verdict();
  EXPECT_EQ(kind(quick), v1::VERDICT_CLEAR);
  EXPECT_EQ(verdict.scope().step2(), v1::STEP_COMPLETE);
  EXPECT_EQ(verdict.scope().pairs_explored(), verdict.stats().pairs());
  EXPECT_EQ(verdict.stats().executions(), 6u) << "of two threads that take a lock twice each: no pair has run";
  EXPECT_EQ(quick.pairs_started(), verdict.stats().pairs());
  for (const v1::Event& event : quick.events)
    if (event.has_pair_finished()) {
      EXPECT_EQ(event.pair_finished().pair().state(), "clear");
    }
  const Answer racy = save(kUnlocked);
  ASSERT_EQ(racy.rules(), Rules{"data-race"});
  EXPECT_EQ(racy.findings()[0].step(), "pairwise") << "what a small step 2 finds is left to the pairs to tell";
  const auto pairs_that_ran = [](const Answer& answer) {
    return std::count_if(answer.events.begin(), answer.events.end(), [](const v1::Event& event) {
      return event.has_pair_finished() && event.pair_finished().stats().executions() > 0;
    });
  };
  EXPECT_EQ(pairs_that_ran(quick), 0);
  restart({{{"HEDDLE_EXPLORERS", "1"}}, 0});
  EXPECT_GT(pairs_that_ran(save(larger())), 0);
}

// Where several run at once everything is searched from the start. Which is first, it or the pairs, is up to the cores.
TEST(CheckWithCores, ASearchThatIsBegunEarlyCoversThePairs) {
  const auto own = [](const EngineProcess::Options& options) {  // interleavings of pairs
    ProjectFolder folder;
    folder.write("a.c", larger());
    v1::CheckRequest request = request_for(folder.file("a.c"));
    request.set_no_wait_step2(true);
    uint64_t executions = 0;
    for (const v1::Event& event : EngineProcess(options).check(request).events)
      executions += event.pair_finished().stats().executions();
    return executions;
  };
  for (const char* early : {"0", "500"}) {  // begun before the comparison, and after it
    int time = 0;
    while (own({{{"HEDDLE_EXPLORERS", "3"}, {"HEDDLE_EARLY_SEARCH_INTERACTIONS", early}}, 0}) > 0)
      ASSERT_LT(++time, 12);
  }
  EXPECT_GT(own({{{"HEDDLE_EXPLORERS", "1"}}, 0}), 0u) << "one worker: the pairs come first";
}

// After some of them where one search runs at a time; from the start where there are several.
TEST(CheckWithCores, ASearchBesideManyPairsCoversThem) {
  for (const char* explorers : {"1", "3"}) {
    SCOPED_TRACE(std::string(explorers) + " at once");
    ProjectFolder folder;
    EngineProcess engine({{{"HEDDLE_EXPLORERS", explorers}, {"HEDDLE_EARLY_SEARCH_INTERACTIONS", "0"}}, 0});
    folder.write("a.c", many(7, kLock, kUnlock));
    v1::CheckRequest request = request_for(folder.file("a.c"));
    request.set_no_wait_step2(true);
    const Answer clear = engine.check(request);
    const v1::Verdict& verdict = *clear.final_verdict();
    EXPECT_EQ(kind(clear), v1::VERDICT_CLEAR);
    EXPECT_GT(verdict.stats().pairs(), 32u);
    EXPECT_EQ(verdict.scope().step1(), v1::STEP_COMPLETE);
    EXPECT_EQ(verdict.scope().pairs_explored(), verdict.stats().pairs());
    EXPECT_EQ(verdict.scope().step2(), v1::STEP_COMPLETE) << "all interleavings were explored beside the pairs";
  }
}

// What is new is a flag, and what it leads to happens between two other threads: one increments in two steps then.
std::string increments(const std::string& flag) {
  std::string text =
      "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x, two_steps[6];\n"
      "static void *one(void *p) { x++; return p; }\n"
      "static void *other(void *p) {\n  int set = 0;\n  for (int i = 0; i < 6; i++) set += two_steps[i];\n"
      "  if (set) { int was = x; x = was + 1; } else x++;\n  return p;\n}\n";
  std::string starts, joins;
  for (int n = 0; n < 6; ++n) {
    const std::string number = std::to_string(n);
    text += "static void *work" + number + "(void *p) { two_steps[" + number + "] = " + flag + "; return p; }\n";
    starts += "  pthread_create(&t[" + number + "], 0, work" + number + ", 0);\n";
    joins += "  pthread_join(t[" + number + "], 0);\n";
  }
  return text + "int main(void) {\n  pthread_t a, b, t[6];\n  pthread_create(&a, 0, one, 0);\n" +
         "  pthread_create(&b, 0, other, 0);\n" + starts + joins + "  pthread_join(a, 0);\n  pthread_join(b, 0);\n" +
         "  assert(x == 2);\n  return 0;\n}\n";
}

TEST_F(Check, ASearchBesideManyPairsTellsWhatTheyCannot) {
  EXPECT_EQ(kind(save(increments("0"))), v1::VERDICT_CLEAR);
  folder_.write("a.c", increments("1"));
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_no_wait_step2(true);
  const Answer answer = engine_->check(request);
  const v1::Verdict& verdict = *answer.final_verdict();
  EXPECT_GT(verdict.stats().pairs(), 32u);
  ASSERT_EQ(answer.rules(), Rules{"assertion"});
  EXPECT_NE(answer.findings()[0].step(), "pairwise");
  ASSERT_TRUE(answer.step1_verdict());
  EXPECT_EQ(answer.step1_verdict()->kind(), v1::VERDICT_FINDINGS) << "it is told as soon as the search ends";
  EXPECT_EQ(verdict.scope().step1(), v1::STEP_COMPLETE);
  EXPECT_EQ(verdict.scope().step2(), v1::STEP_COMPLETE);
  // What it spared is not explored again either: not when the text comes back, and not by another engine.
  EXPECT_EQ(kind(save(increments("0"))), v1::VERDICT_CLEAR);
  for (const bool fresh : {false, true}) {
    if (fresh) restart();
    folder_.write("a.c", increments("1"));
    const Answer again = engine_->check(request);
    const v1::Verdict& known = *again.final_verdict();
    EXPECT_EQ(again.rules(), Rules{"assertion"});
    EXPECT_EQ(known.scope().pairs_explored(), 0u);
    EXPECT_EQ(known.scope().pairs_reused(), verdict.stats().pairs());
    EXPECT_EQ(known.stats().executions(), 0u);
    EXPECT_EQ(known.scope().step2(), v1::STEP_COMPLETE);
    folder_.write("a.c", increments("0"));
    engine_->check(request);
  }
}

TEST_F(Check, WhatIsOwedIsWorkedOffWhenNobodyAsks) {
  folder_.write("a.c", larger());
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_no_wait_step2(true);
  engine_->check(request);
  v1::Frame status;
  status.mutable_status();
  for (;;) {
    engine_->send(status);
    const auto answer = engine_->receive(60);
    ASSERT_TRUE(answer && answer->has_status_is());
    if (answer->status_is().pairs_owed() == 0 && answer->status_is().phase() == "idle") break;
    ::usleep(10'000);
  }
  const Answer after = engine_->check(folder_.file("a.c"));
  EXPECT_EQ(kind(after), v1::VERDICT_CLEAR);
  EXPECT_EQ(after.pairs_started(), 0u) << "the background has done it";
}

// What no user waits for is not explored at the cost of a battery.
TEST_F(Check, WhatIsOwedWaitsForMainsPower) {
  folder_.write("power/BAT0/type", "Battery\n");
  folder_.write("power/BAT0/status", "Discharging\n");
  restart({{{"HEDDLE_POWER_SUPPLY", folder_.file("power")}}, 0});
  folder_.write("a.c", larger());
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_time_limit_seconds(0.001);
  engine_->check(request);
  const auto status = [&] {
    v1::Frame question;
    question.mutable_status();
    engine_->send(question);
    const auto answer = engine_->receive(60);
    EXPECT_TRUE(answer && answer->has_status_is());
    return answer ? answer->status_is() : v1::ProjectStatus();
  };
  for (int n = 0; n < 20; ++n) {
    const v1::ProjectStatus waits = status();
    ASSERT_EQ(waits.phase(), "idle");
    ASSERT_GT(waits.pairs_owed(), 0u);
    ::usleep(100'000);
  }
  folder_.write("power/BAT0/status", "Charging\n");
  bool done = false;
  for (int n = 0; n < 1500 && !done; ++n, ::usleep(20'000)) done = status().pairs_owed() == 0;
  EXPECT_TRUE(done);
}

TEST_F(Check, FullExploresEverything) {
  folder_.write("a.c", kLocked);
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_full(true);
  const Answer answer = engine_->check(request);
  EXPECT_EQ(kind(answer), v1::VERDICT_CLEAR);
  EXPECT_EQ(answer.final_verdict()->scope().full(), v1::STEP_COMPLETE);
  EXPECT_EQ(kind(save("// same\n" + kLocked)), v1::VERDICT_CLEAR);
}

TEST_F(Check, TimeLimitIsSaidAndLeavesDebt) {
  folder_.write("a.c", kLong);
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_time_limit_seconds(0.6);
  const Answer answer = engine_->check(request);
  EXPECT_EQ(kind(answer), v1::VERDICT_INCONCLUSIVE);
  EXPECT_NE(answer.final_verdict()->message().find("limit"), std::string::npos);
  v1::Frame frame;
  frame.mutable_status();
  engine_->send(frame);
  const auto status = engine_->receive(5);
  ASSERT_TRUE(status && status->has_status_is());
  EXPECT_GT(status->status_is().pairs_owed(), 0u);
}

}  // namespace
}  // namespace heddle::engine::test
