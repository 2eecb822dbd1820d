// The life of an edit through a real engine process: verdicts, ledger, reuse, errors.
#include <unistd.h>

#include <set>

#include "tests/engine/check_fixture.h"

namespace heddle::engine::test {
namespace {

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
  other.insert(other.find("return total"), "int own = 9; (void)own; ");
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

TEST_F(Check, AnotherFileWithTheSameContentHasItsOwnPlaces) {
  ASSERT_EQ(save(kUnlocked).rules(), Rules{"data-race"});
  folder_.write("b.c", std::string("\n\n") + kUnlocked);
  const Answer copy = engine_->check(folder_.file("b.c"));
  EXPECT_EQ(copy.rules(), Rules{"data-race"});
  for (const v1::Finding& finding : copy.findings())
    for (const v1::Place& place : finding.places())
      EXPECT_EQ(place.file(), folder_.file("b.c")) << finding.ShortDebugString();
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
  const Answer broken = fresh.check(folder.file("two.c"));
  EXPECT_EQ(broken.final_verdict()->error(), v1::ERROR_BUILD);
  EXPECT_EQ(broken.final_verdict()->message(),
            "compile errors in " + folder.file("helper.c") + "; nothing changed in the ledger");
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
