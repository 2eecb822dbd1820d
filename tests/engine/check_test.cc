// The life of an edit through a real engine process: verdicts, ledger, reuse, errors.
#include <unistd.h>

#include <set>

#include "server/base/clock.h"
#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

// Line numbers matter: `total` is written in line 8, the lock is in line 7.
std::string counter(const std::string& lock, const std::string& unlock, const std::string& before = "",
                    const std::string& local = "item") {
  return "#include <pthread.h>\n"
         "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
         "static int total;\n"
         "static void *work(void *p) {\n"
         "  int *" +
         local + " = p;\n" + before +
         "  for (int i = 0; i < 2; i++) {\n"
         "    " +
         lock +
         "\n"
         "    total += *" +
         local +
         ";\n"
         "    " +
         unlock +
         "\n"
         "  }\n"
         "  return 0;\n"
         "}\n"
         "int main(void) {\n"
         "  pthread_t a, b;\n"
         "  int one = 1, two = 2;\n"
         "  pthread_create(&a, 0, work, &one);\n"
         "  pthread_create(&b, 0, work, &two);\n"
         "  pthread_join(a, 0);\n"
         "  pthread_join(b, 0);\n"
         "  return total != 6;\n"
         "}\n";
}
const std::string kLock = "pthread_mutex_lock(&m);", kUnlock = "pthread_mutex_unlock(&m);";
const std::string kLocked = counter(kLock, kUnlock);
const std::string kUnlocked = counter("", "");
// 924 interleavings: too many for step 2 to come before the pairs.
std::string larger() {
  std::string text = kLocked;
  return text.replace(text.find("i < 2"), 5, "i < 6").replace(text.find("total != 6"), 10, "total != 18");
}

// Each of `threads` threads has a function of its own: more pairs than are explored without a second look.
std::string many(uint32_t threads, const std::string& lock, const std::string& unlock) {
  std::string text = "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\nstatic int total;\n",
              starts, joins;
  for (uint32_t n = 0; n < threads; ++n) {
    const std::string number = std::to_string(n);
    text += "static void *work" + number + "(void *p) {\n  " + lock + "\n  total = total * 2 + 1;\n  " + unlock +
            "\n  return p;\n}\n";
    starts += "  pthread_create(&t[" + number + "], 0, work" + number + ", 0);\n";
    joins += "  pthread_join(t[" + number + "], 0);\n";
  }
  return text + "int main(void) {\n  pthread_t t[" + std::to_string(threads) + "];\n" + starts + joins +
         "  return 0;\n}\n";
}

const char* kDeadlock =
    "#include <pthread.h>\n"
    "static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n"
    "static void *left(void *p) {\n"
    "  pthread_mutex_lock(&a); pthread_mutex_lock(&b);\n"
    "  pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return p;\n"
    "}\n"
    "static void *right(void *p) {\n"
    "  pthread_mutex_lock(&b); pthread_mutex_lock(&a);\n"
    "  pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return p;\n"
    "}\n"
    "int main(void) {\n"
    "  pthread_t x, y;\n"
    "  pthread_create(&x, 0, left, 0); pthread_create(&y, 0, right, 0);\n"
    "  pthread_join(x, 0); pthread_join(y, 0); return 0;\n"
    "}\n";

// Too many interleavings for any test: five threads, many atomic steps each.
const char* kLong =
    "#include <pthread.h>\n"
    "#include <stdatomic.h>\n"
    "static atomic_int n;\n"
    "static void *work(void *p) {\n"
    "  for (int i = 0; i < 40; i++) atomic_store(&n, atomic_load(&n) * 3 + i);\n"
    "  return p;\n"
    "}\n"
    "int main(void) {\n"
    "  pthread_t t[5];\n"
    "  for (int i = 0; i < 5; i++) pthread_create(&t[i], 0, work, 0);\n"
    "  for (int i = 0; i < 5; i++) pthread_join(t[i], 0);\n"
    "  return 0;\n"
    "}\n";

using Rules = std::vector<std::string>;

class Check : public ::testing::Test {
 protected:
  // Saves the text and checks it.
  Answer save(const std::string& text) {
    folder_.write("a.c", text);
    Answer answer = engine_->check(folder_.file("a.c"));
    EXPECT_TRUE(answer.done) << "no end of the check";
    answer.final_verdict();
    return answer;
  }
  void restart(const EngineProcess::Options& options = {}) {
    engine_.reset();
    engine_ = std::make_unique<EngineProcess>(options);
  }

  ProjectFolder folder_;
  std::unique_ptr<EngineProcess> engine_ = std::make_unique<EngineProcess>();
};

v1::VerdictKind kind(const Answer& answer) { return answer.final_verdict()->kind(); }

TEST_F(Check, RaceIsFoundWithPlacesAndTrace) {
  const Answer answer = save(kUnlocked);
  EXPECT_EQ(kind(answer), v1::VERDICT_FINDINGS);
  ASSERT_EQ(answer.rules(), Rules{"data-race"});
  const v1::Finding finding = answer.findings()[0];
  ASSERT_GE(finding.places_size(), 2);
  EXPECT_EQ(finding.places(0).line(), 8u);
  EXPECT_EQ(finding.places(1).line(), 8u);
  EXPECT_GT(finding.trace_size(), 0);
  EXPECT_EQ(finding.id().size(), 12u);
  EXPECT_EQ(answer.final_verdict()->findings(), 1u);
  EXPECT_GE(answer.final_verdict()->stats().ms().first_finding(), 0);
}

TEST_F(Check, EventsComeInOrder) {
  const Answer answer = save(kUnlocked);
  std::string order;
  for (const v1::Event& event : answer.events) {
    if (event.has_started()) order += 'S';
    if (event.has_diffed()) order += 'D';
    if (event.has_verdict()) order += event.target().empty() ? "E" : event.verdict().step() + ' ';
  }
  EXPECT_EQ(order, "SDstep1 step2 final E");
  ASSERT_TRUE(answer.files);
  EXPECT_EQ(answer.files->files(0), folder_.file("a.c"));
}

TEST_F(Check, CorrectProgramIsClearAndSaysWhatThatMeans) {
  const Answer answer = save(kLocked);
  EXPECT_EQ(kind(answer), v1::VERDICT_CLEAR) << answer.text();
  const v1::Scope& scope = answer.final_verdict()->scope();
  EXPECT_EQ(scope.step2(), v1::STEP_COMPLETE);
  EXPECT_EQ(scope.compared_with(), "nothing: first check");
  EXPECT_NE(scope.summary().find("interleaving"), std::string::npos);
}

TEST_F(Check, RelevantIsOnlyWhatIsWritten) {
  const Answer answer = save(
      "#include <stdio.h>\n#include <pthread.h>\nstatic const char *const words[] = {\"a\", \"b\"};\n"
      "static int n;\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "static void *work(void *p) { pthread_mutex_lock(&m); puts(words[n++]); pthread_mutex_unlock(&m);\n"
      "  return p; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); work(0); return pthread_join(t, 0); }\n");
  const auto& objects = answer.diffed()->relevant_objects();
  std::set<std::string> names(objects.begin(), objects.end());
  EXPECT_TRUE(names.contains("n") && names.contains("m")) << answer.text();
  for (const std::string& name : names) EXPECT_TRUE(name != "words" && name.find("literal") == name.npos) << name;
}

TEST_F(Check, HarmlessEditsExploreNothing) {
  save(kLocked);
  for (const std::string& text :
       {"// a comment\n\n" + kLocked, counter(kLock, kUnlock, "", "thing"), counter(kLock + " /* in */", kUnlock)}) {
    const Answer answer = save(text);
    EXPECT_EQ(kind(answer), v1::VERDICT_CLEAR);
    EXPECT_EQ(answer.pairs_started(), 0u);
    EXPECT_EQ(answer.final_verdict()->stats().executions(), 0u);
    EXPECT_TRUE(answer.final_verdict()->scope().compared_with().starts_with("the same program")) << answer.text();
    EXPECT_NE(answer.final_verdict()->scope().summary().find("no interaction statement changed"), std::string::npos)
        << answer.final_verdict()->scope().summary();
  }
}

TEST_F(Check, DroppedLockIsFoundAndRepairClearsIt) {
  save(kLocked);
  const Answer bad = save(kUnlocked);
  EXPECT_EQ(bad.rules(), Rules{"data-race"});
  EXPECT_GT(bad.pairs_started(), 0u);
  EXPECT_FALSE(bad.diffed()->everything());
  const Answer good = save(kLocked);
  EXPECT_EQ(kind(good), v1::VERDICT_CLEAR);
  EXPECT_EQ(good.fixed(), Rules{"data-race"});
  EXPECT_EQ(good.pairs_started(), 0u) << "undo costs nothing";
  EXPECT_EQ(good.final_verdict()->scope().compared_with(), "an earlier version with the same content");
}

TEST_F(Check, RepairInAnotherWayExploresAndClears) {
  save(kLocked);
  save(kUnlocked);
  const Answer good =
      save(counter(kLock, kUnlock, "  pthread_mutex_lock(&m); total += 0; pthread_mutex_unlock(&m);\n"));
  EXPECT_EQ(kind(good), v1::VERDICT_CLEAR) << good.text();
  EXPECT_EQ(good.fixed(), Rules{"data-race"});
}

TEST_F(Check, OpenFindingsOutliveEditsAndMoveWithTheirText) {
  const Answer first = save(kUnlocked);
  ASSERT_EQ(first.rules(), Rules{"data-race"});
  const Answer moved = save("\n\n" + kUnlocked);
  ASSERT_EQ(moved.rules(), Rules{"data-race"});
  EXPECT_EQ(moved.findings()[0].state(), v1::FINDING_STILL_THERE);
  EXPECT_EQ(moved.findings()[0].id(), first.findings()[0].id());
  EXPECT_EQ(moved.findings()[0].places(0).line(), 10u);
  EXPECT_EQ(moved.pairs_started(), 0u);
  EXPECT_EQ(kind(moved), v1::VERDICT_FINDINGS);

  // Another statement changes; the race stays.
  std::string other = kUnlocked;
  other.replace(other.find("total != 6"), 10, "total == 9");
  const Answer edited = save(other);
  EXPECT_EQ(edited.rules(), Rules{"data-race"});
  EXPECT_EQ(edited.findings()[0].state(), v1::FINDING_STILL_THERE);
  EXPECT_EQ(edited.findings()[0].id(), first.findings()[0].id());
  std::string order;
  for (const v1::Event& event : edited.events) order += event.has_finding() ? "F" : event.has_pair_started() ? "P" : "";
  EXPECT_EQ(order, "F") << "replayed, and so the base is still good: nothing is searched";
}

TEST_F(Check, OpenFindingsThatAnUnfinishedSearchDoesNotMeetStayOpen) {
  ASSERT_EQ(save(kUnlocked).rules(), Rules{"data-race"});
  folder_.write("a.c", kLong);
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_time_limit_seconds(0.3);
  const Answer answer = engine_->check(request);
  EXPECT_EQ(answer.rules(), Rules{"data-race"}) << answer.text();
  EXPECT_EQ(answer.findings()[0].state(), v1::FINDING_NOT_CONFIRMED);
  EXPECT_TRUE(answer.fixed().empty());
  EXPECT_EQ(kind(answer), v1::VERDICT_INCONCLUSIVE) << "nothing that this version has was seen";
  EXPECT_EQ(answer.final_verdict()->not_confirmed(), 1u);
  EXPECT_NE(answer.text().find("is not confirmed"), std::string::npos) << answer.text();
}

// One of the threads races only between two steps of another. A third version makes one step more, so that the schedule
// leads elsewhere; what it changes has nothing to do with the race.
TEST_F(Check, FindingThatItsScheduleNoLongerShowsIsLookedForFromTheLastCleanVersion) {
  const auto text = [](const std::string& first, const std::string& access) {
    return "#include <pthread.h>\n#include <stdatomic.h>\n"
           "static atomic_int gate, other;\nstatic int x;\n"
           "static void *opens(void *p) {\n" +
           first +
           "  gate = 1; gate = 0; other = 1;\n  return p;\n}\n"
           "static void *passes(void *p) {\n  if (gate == 1) {" +
           access +
           "}\n  return p;\n}\n"
           "static void *looks(void *p) {\n  x = 2;\n  (void)atomic_load(&other);\n  return p;\n}\n"
           "int main(void) {\n  pthread_t t[3];\n"
           "  pthread_create(&t[0], 0, opens, 0); pthread_create(&t[1], 0, passes, 0);\n"
           "  pthread_create(&t[2], 0, looks, 0);\n"
           "  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);\n  return 0;\n}\n";
  };
  ASSERT_EQ(kind(save(text("", ""))), v1::VERDICT_CLEAR);
  ASSERT_EQ(save(text("", "x = 1;")).rules(), Rules{"data-race"});
  const Answer edited = save(text("  other = 2;\n", "x = 1;"));
  EXPECT_EQ(edited.rules(), Rules{"data-race"}) << edited.text();
  EXPECT_TRUE(edited.fixed().empty());
}

TEST_F(Check, TrialIsNotWhatStatementsAreExplainedFrom) {
  save(kLocked);
  v1::CheckRequest trial = request_for(folder_.file("a.c"));
  trial.set_trial(true);
  v1::Overlay& overlay = *trial.add_overlays();
  overlay.set_path(folder_.file("a.c"));
  overlay.set_text(kUnlocked);
  ASSERT_EQ(engine_->check(trial).rules(), Rules{"data-race"});
  v1::Frame frame;
  frame.mutable_explain()->set_file(folder_.file("a.c"));
  frame.mutable_explain()->set_line(8);
  engine_->send(frame);
  const auto answer = engine_->receive(5);
  ASSERT_TRUE(answer && answer->has_explained());
  ASSERT_GT(answer->explained().statements_size(), 0) << answer->explained().error();
  for (const v1::Statement& statement : answer->explained().statements())
    EXPECT_EQ(statement.locks_size(), 1) << statement.ShortDebugString();
}

TEST_F(Check, WhatAFindingHidIsExploredOnceItIsMended) {
  const Answer bad = save(kDeadlock);
  EXPECT_EQ(bad.rules(), Rules{"deadlock"}) << bad.text();
  std::string good = kDeadlock;
  good.replace(good.find("pthread_mutex_lock(&b); pthread_mutex_lock(&a);"), 47,
               "pthread_mutex_lock(&a); pthread_mutex_lock(&b);");
  const Answer repaired = save(good);
  EXPECT_EQ(kind(repaired), v1::VERDICT_CLEAR);
  EXPECT_EQ(repaired.fixed(), Rules{"deadlock"});
  EXPECT_TRUE(repaired.diffed()->everything()) << "what lay behind the deadlock was never explored";
}

TEST_F(Check, RaceStaysOpenWhenItsScheduleLeadsElsewhere) {
  save(kLocked);
  const Answer bad = save(kUnlocked);
  ASSERT_EQ(bad.rules(), Rules{"data-race"});
  // One more thread in front: the recorded schedule no longer fits.
  std::string other = kUnlocked;
  other.replace(other.find("  pthread_create(&a"), 0,
                "  pthread_t c; int zero = 0;\n  pthread_create(&c, 0, work, &zero); pthread_join(c, 0);\n");
  const Answer edited = save(other);
  ASSERT_FALSE(edited.findings().empty());
  EXPECT_EQ(edited.findings()[0].id(), bad.findings()[0].id());
  EXPECT_EQ(edited.findings()[0].state(), v1::FINDING_STILL_THERE);
  EXPECT_TRUE(edited.fixed().empty());
}

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
    while (own({{{"HEDDLE_EXPLORERS", "3"}, {"HEDDLE_EARLY_SEARCH_INTERACTIONS", early}}, 0}) > 0) ASSERT_LT(++time, 12);
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

TEST_F(Check, AnotherFileWithTheSameContentHasItsOwnPlaces) {
  ASSERT_EQ(save(kUnlocked).rules(), Rules{"data-race"});
  folder_.write("b.c", std::string("\n\n") + kUnlocked);
  const Answer copy = engine_->check(folder_.file("b.c"));
  EXPECT_EQ(copy.rules(), Rules{"data-race"});
  for (const v1::Finding& finding : copy.findings())
    for (const v1::Place& place : finding.places())
      EXPECT_EQ(place.file(), folder_.file("b.c")) << finding.ShortDebugString();
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

TEST_F(Check, RestartedEngineAnswersFromDisk) {
  save(kLocked);
  restart();
  const Answer again = engine_->check(folder_.file("a.c"));
  EXPECT_EQ(kind(again), v1::VERDICT_CLEAR);
  EXPECT_TRUE(again.compiled().empty());
  EXPECT_EQ(again.pairs_started(), 0u);
  const Answer bad = save(kUnlocked);
  EXPECT_EQ(bad.rules(), Rules{"data-race"});
  EXPECT_FALSE(bad.diffed()->everything()) << "the base came from disk";
}

TEST_F(Check, SyntaxErrorLeavesTheLedgerAlone) {
  save(kLocked);
  const Answer broken = save("int main(void) { return 0 }\n" + kLocked);
  EXPECT_EQ(kind(broken), v1::VERDICT_ERROR);
  EXPECT_EQ(broken.final_verdict()->error(), v1::ERROR_BUILD);
  ASSERT_GT(broken.final_verdict()->diagnostics_size(), 0);
  EXPECT_EQ(broken.final_verdict()->diagnostics(0).line(), 1u);
  const Answer again = save(kLocked);
  EXPECT_EQ(kind(again), v1::VERDICT_CLEAR);
  EXPECT_EQ(again.pairs_started(), 0u);
}

TEST_F(Check, OneThreadIsRunOnce) {
  const Answer fine = save("int main(void) { return 0; }\n");
  EXPECT_EQ(kind(fine), v1::VERDICT_CLEAR);
  EXPECT_NE(fine.final_verdict()->scope().summary().find("one thread only"), std::string::npos);
  EXPECT_EQ(fine.final_verdict()->stats().executions(), 1u);
  const Answer bad = save("#include <assert.h>\nint main(void) { int x = 3; assert(x == 4); return 0; }\n");
  EXPECT_EQ(bad.rules(), Rules{"assertion"});
}

TEST_F(Check, NoMainIsAUsageErrorWithRemedy) {
  const Answer answer = save("int twice(int x) { return 2 * x; }\n");
  EXPECT_EQ(kind(answer), v1::VERDICT_ERROR);
  EXPECT_EQ(answer.final_verdict()->error(), v1::ERROR_USAGE);
  EXPECT_NE(answer.final_verdict()->message().find("main()"), std::string::npos);
}

TEST_F(Check, MissingFileIsAUsageError) {
  const Answer answer = engine_->check(folder_.file("none.c"));
  EXPECT_EQ(kind(answer), v1::VERDICT_ERROR);
  EXPECT_EQ(answer.final_verdict()->error(), v1::ERROR_USAGE);
}

TEST_F(Check, UnknownExternalIsNamed) {
  const Answer answer = save("int mystery(int);\nint main(void) { return mystery(1); }\n");
  EXPECT_EQ(kind(answer), v1::VERDICT_INCONCLUSIVE);
  const v1::Scope& scope = answer.final_verdict()->scope();
  ASSERT_EQ(scope.unknown_externals_size(), 1);
  EXPECT_EQ(scope.unknown_externals(0).name(), "mystery");
  EXPECT_EQ(scope.unknown_externals(0).places(0).line(), 2u);
  EXPECT_NE(answer.final_verdict()->message().find("mystery"), std::string::npos);
}

// What comes after the call was never seen: once the function is known, everything is new.
TEST_F(Check, FunctionThatBecomesKnownIsNoSmallEdit) {
  folder_.write("a.c",
                "#include <pthread.h>\nint mystery(void);\nstatic int n;\n"
                "static void *work(void *p) { n++; return p; }\n"
                "int main(void) {\n  pthread_t a, b;\n  mystery();\n"
                "  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"
                "  pthread_join(a, 0); pthread_join(b, 0); return 0;\n}\n");
  folder_.write("b.c", "int other(void) { return 1; }\n");
  folder_.write_database({"a.c", "b.c"});
  ASSERT_EQ(kind(engine_->check(folder_.file("a.c"))), v1::VERDICT_INCONCLUSIVE);
  folder_.write("b.c", "int mystery(void) { return 1; }\n");
  const Answer known = engine_->check(folder_.file("a.c"));
  EXPECT_EQ(known.rules(), Rules{"data-race"}) << known.text();
  EXPECT_TRUE(known.diffed()->everything());
}

TEST_F(Check, OverlaysAreChecked) {
  folder_.write("a.c", kLocked);
  engine_->check(folder_.file("a.c"));
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_document_version(7);
  v1::Overlay& overlay = *request.add_overlays();
  overlay.set_path(folder_.file("a.c"));
  overlay.set_text(kUnlocked);
  const Answer answer = engine_->check(request);
  EXPECT_EQ(answer.rules(), Rules{"data-race"});
  EXPECT_EQ(answer.events.back().version(), 7);
  EXPECT_EQ(kind(engine_->check(folder_.file("a.c"))), v1::VERDICT_CLEAR);
}

// The daemon stands in another folder than whoever typed them.
TEST_F(Check, FlagsAreRelativeToWhereTheyWereTyped) {
  folder_.write("include/total.h", "static int total;\n");
  folder_.write("src/a.c", "#include <total.h>\nint main(void) { return total; }\n");
  v1::CheckRequest request = request_for(folder_.file("src/a.c"));
  request.set_root(folder_.path());
  request.add_flags("-Iinclude");
  EXPECT_EQ(kind(engine_->check(request)), v1::VERDICT_CLEAR);
  request.clear_flags();
  EXPECT_NE(engine_->check(request).final_verdict()->message().find("give them after `--`"), std::string::npos);
  request.add_flags("-Inowhere");
  EXPECT_EQ(engine_->check(request).final_verdict()->message().find("give them after `--`"), std::string::npos);
}

// Asked from where the check was asked for, whoever answers: another folder than the file's, a new engine, no files.
TEST(Questions, AFindingIsFoundFromWhereTheFlagsWereTyped) {
  for (const char* const place : {"XDG_CACHE_HOME", "HEDDLE_CACHE_DIR"}) {
    ProjectFolder folder;
    folder.write("src/a.c", kUnlocked);
    folder.write("elsewhere/flags.h", "");
    const EngineProcess::Options options{{{place, folder.file("cache")}}, 0};
    const std::string here = folder.file("elsewhere");
    EngineProcess first(options);
    v1::CheckRequest request = request_for(folder.file("src/a.c"));
    request.set_root(here);
    request.add_flags("-I.");
    EXPECT_EQ(first.check(request).rules(), Rules{"data-race"});
    EngineProcess second(options);
    for (EngineProcess* engine : {&first, &second}) {
      v1::Frame frame;
      frame.mutable_show()->set_root(here);
      frame.mutable_show()->set_all(true);
      frame.mutable_show()->mutable_project()->set_root(here);
      engine->send(frame);
      const auto answer = engine->receive(5);
      ASSERT_TRUE(answer && answer->has_shown());
      ASSERT_EQ(answer->shown().findings_size(), 1) << place << ": " << answer->shown().error();
      EXPECT_EQ(answer->shown().findings(0).rule(), "data-race");
    }
  }
}

TEST_F(Check, GivenBase) {
  folder_.write("a.c", kUnlocked);
  folder_.write("old/a.c", kLocked);
  v1::CheckRequest request = request_for(folder_.file("a.c"));
  request.set_base(folder_.file("old/a.c"));
  const Answer file = engine_->check(request);
  EXPECT_EQ(file.rules(), Rules{"data-race"});
  EXPECT_FALSE(file.diffed()->everything());
  request.set_base(folder_.file("old"));
  const Answer folder = engine_->check(request);
  EXPECT_EQ(folder.rules(), Rules{"data-race"});
  EXPECT_FALSE(folder.diffed()->everything());
  request.set_base(folder_.file("nowhere"));
  EXPECT_EQ(engine_->check(request).final_verdict()->error(), v1::ERROR_USAGE);
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

TEST(Targets, OnlyWhatIsNeededMatters) {
  ProjectFolder folder;
  folder.write("one.c", "int shared(void);\nint main(void) { return shared(); }\n");
  folder.write("two.c", "int helper(void);\nint main(void) { return helper(); }\n");
  folder.write("shared.c", "int shared(void) { return 0; }\n");
  folder.write("helper.c", "#include \"helper.h\"\nint helper(void) { return ZERO; }\n");
  folder.write("helper.h", "#define ZERO 0\n");
  folder.write_database({"one.c", "two.c", "shared.c", "helper.c"});
  EngineProcess engine;
  v1::CheckRequest all;
  all.set_root(folder.path());
  const Answer first = engine.check(all);
  EXPECT_EQ(first.compiled().size(), 4u);
  EXPECT_EQ(first.final_verdict()->kind(), v1::VERDICT_CLEAR) << first.text();

  folder.write("helper.h", "#define ZERO 1\n");
  const Answer header = engine.check(folder.file("helper.h"));
  EXPECT_EQ(header.compiled(), Rules{"helper.c"});
  std::vector<std::string> targets;
  for (const v1::Event& event : header.events)
    if (event.has_started()) targets.push_back(event.target());
  EXPECT_EQ(targets, Rules{"two"});

  folder.write("helper.c", "int helper(void) { return 0\n");
  EXPECT_EQ(engine.check(folder.file("one.c")).final_verdict()->kind(), v1::VERDICT_CLEAR);
  EXPECT_EQ(engine.check(folder.file("two.c")).final_verdict()->error(), v1::ERROR_BUILD);
  EngineProcess fresh;
  EXPECT_EQ(fresh.check(folder.file("one.c")).final_verdict()->kind(), v1::VERDICT_CLEAR);
  EXPECT_EQ(fresh.check(folder.file("two.c")).final_verdict()->error(), v1::ERROR_BUILD);
}

TEST(Determinism, CoresDoNotMatter) {
  std::string texts[2];
  for (int i = 0; i < 2; ++i) {
    ProjectFolder folder;
    folder.write("a.c", kUnlocked);
    EngineProcess engine({{{"HEDDLE_EXPLORERS", i == 0 ? "1" : "4"}}, 0});
    texts[i] = engine.check(folder.file("a.c")).text();
    for (size_t at; (at = texts[i].find(folder.path())) != std::string::npos;)
      texts[i].replace(at, folder.path().size(), "");
  }
  EXPECT_EQ(texts[0], texts[1]);
}

}  // namespace
}  // namespace heddle::engine::test
