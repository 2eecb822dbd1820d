// Stories and outlines of hand-made findings.
#include <gtest/gtest.h>

#include <algorithm>

#include "client/report/reorder.h"
#include "client/story/outline.h"
#include "client/story/story.h"
#include "client/story/words.h"

namespace heddle::client {
namespace {

using Strings = std::vector<std::string>;

struct Step {
  uint32_t number;
  uint32_t line;
  std::string kind, object, action;
  Strings locks = {};
  bool decisive = false;
  std::vector<uint32_t> after = {};
  std::string library = "";
};

std::string name_of(uint32_t number) { return number == 0 ? "main" : "worker " + std::to_string(number) + " (run)"; }

v1::Finding finding_with(const std::vector<Step>& steps) {
  v1::Finding finding;
  for (const Step& given : steps) {
    v1::TraceStep& step = *finding.add_trace();
    step.set_thread_number(given.number);
    step.set_thread(name_of(given.number));
    step.mutable_place()->set_file("/project/src/pool.cc");
    step.mutable_place()->set_line(given.line);
    step.mutable_place()->set_function("run");
    step.set_kind(given.kind);
    step.set_object(given.object);
    step.set_action(given.action);
    for (const std::string& lock : given.locks) step.add_locks_held(lock);
    step.set_decisive(given.decisive);
    for (const uint32_t before : given.after) step.add_after(before);
    step.set_library(given.library);
    if (given.kind == "read") step.set_value_read(given.action.substr(given.action.rfind(' ') + 1));
    if (given.kind == "write") step.set_value_written(given.action.substr(given.action.rfind(' ') + 1));
    const int count = finding.trace_size();
    step.set_switched(count > 1 && finding.trace(count - 2).thread_number() != given.number);
  }
  return finding;
}

void add_place(v1::Finding& finding, uint32_t number, uint32_t line, const std::string& role) {
  v1::Place& place = *finding.add_places();
  place.set_file("/project/src/pool.cc");
  place.set_line(line);
  place.set_function("run");
  place.set_thread(name_of(number));
  place.set_role(role);
}

// Worker 1 writes with the lock, worker 2 reads without it.
v1::Finding race() {
  v1::Finding finding = finding_with({
      {0, 10, "create", "thread worker 1 (run)", "create thread worker 1 (run)"},
      {0, 11, "create", "thread worker 2 (run)", "create thread worker 2 (run)"},
      {1, 20, "lock", "mutex 'm'", "lock mutex 'm'", {"m"}, false, {0}, "std::lock_guard<...>::lock_guard"},
      {1, 21, "read", "count", "read count = 0", {"m"}},
      {1, 21, "write", "count", "write count = 1", {"m"}, true},
      {1, 22, "unlock", "mutex 'm'", "unlock mutex 'm'", {}, false, {}, "std::lock_guard<...>::~lock_guard"},
      {2, 30, "read", "own", "read own = 1", {}, false, {1}, "std::vector<...>::size"},
      {2, 30, "read", "other", "read other = 1", {}, false, {}, "std::vector<...>::begin"},
      {2, 31, "read", "count", "read count = 1", {}, true},
  });
  finding.set_rule("data-race");
  finding.set_message("data race on 'count'");
  add_place(finding, 2, 31, "reads 'count'");
  add_place(finding, 1, 21, "writes 'count' in std::atomic<...>::store (atomic:5)");
  return finding;
}

TEST(Story, ARaceSaysWhoHoldsWhatAndWhatOrdersNothing) {
  v1::Finding finding = race();
  EXPECT_EQ(story_of(finding), (Strings{"Worker 2 (run) reads `count` at pool.cc:31 without a lock.",
                                        "Worker 1 (run) writes it at pool.cc:21 holding `m`.",
                                        "Nothing orders the two: worker 2 (run) does not take `m`."}));
  v1::Fragment& edit = *finding.add_edit();
  edit.set_kind("deleted");
  edit.set_function("run");
  edit.set_description("deleted: call of std::lock_guard<std::mutex>::lock_guard, call of f");
  EXPECT_EQ(
      story_of(finding).back(),
      "Nothing orders the two: worker 2 (run) does not take `m`; your edit of `run` removed the `std::lock_guard`.");
  finding.set_state(v1::FINDING_STILL_THERE);
  EXPECT_NE(story_of(finding).back().find("an earlier edit of `run`"), std::string::npos);
  finding.set_edited_now(true);  // the earlier one was taken back
  EXPECT_NE(story_of(finding).back().find("your edit of `run`"), std::string::npos);
}

TEST(Story, WhatIsAccessedComesBeforeHow) {
  v1::Finding finding = race();
  finding.mutable_places(0)->set_role("reads atomically 'count'");
  finding.mutable_places(1)->set_role("reads and writes atomically 'count' in std::atomic<...>::fetch_add (atomic:5)");
  EXPECT_EQ(story_of(finding)[0], "Worker 2 (run) reads `count` atomically at pool.cc:31 without a lock.");
  EXPECT_EQ(story_of(finding)[1], "Worker 1 (run) reads and writes it atomically at pool.cc:21 holding `m`.");
  finding.mutable_places(1)->set_role("writes atomically 'all'");
  EXPECT_EQ(story_of(finding)[1], "Worker 1 (run) writes `all` atomically at pool.cc:21 holding `m`.");
}

TEST(Story, SaysWhatWasCreated) {
  v1::Finding finding;
  finding.set_rule("thread-leak");
  finding.set_message("thread worker 1 (run) still runs");
  add_place(finding, 1, 9, "still runs");
  add_place(finding, 0, 6, "created here");
  EXPECT_EQ(story_of(finding)[1], "The main thread created that thread at pool.cc:6.");
}

TEST(Story, AStaticLocalIsNamedAsTheProgramDoes) {
  v1::Finding finding = race();
  v1::Fragment& edit = *finding.add_edit();
  edit.set_kind("inserted");
  edit.set_begin_line(5);
  edit.set_description("inserted: initialisation of the static local x");
  EXPECT_TRUE(
      story_of(finding).back().ends_with("; your edit of line 5 added the initialisation of the static local `x`."))
      << story_of(finding).back();
}

TEST(Story, AnEditIsNotSaidToBeWhereNothingWasEdited) {
  v1::Finding finding = race();
  v1::Fragment& edit = *finding.add_edit();
  edit.set_kind("changed");
  edit.set_begin_line(5);
  edit.set_function("run");
  edit.set_description("affected: read of count, call of f");
  EXPECT_TRUE(story_of(finding).back().ends_with("; your edit elsewhere affects the read of `count` at line 5."))
      << story_of(finding).back();
  finding.set_state(v1::FINDING_STILL_THERE);
  EXPECT_NE(story_of(finding).back().find("; an earlier edit elsewhere affects "), std::string::npos);
}

TEST(Story, AnInitialiserIsCalledAsItIs) {
  EXPECT_EQ(called("run"), "run()");
  EXPECT_EQ(called("initialiser of count"), "initialiser of count");
  EXPECT_EQ(called("destructor of pool"), "destructor of pool");
}

TEST(Story, NoLockIsClaimedThatTheInterleavingDoesNotShow) {
  v1::Finding finding = race();
  finding.clear_trace();
  EXPECT_EQ(story_of(finding), (Strings{"Worker 2 (run) reads `count` at pool.cc:31.",
                                        "Worker 1 (run) writes it at pool.cc:21.", "Nothing orders the two."}));
}

TEST(Story, ADeadlockSaysWhatEachHasAndWaitsFor) {
  v1::Finding finding;
  finding.set_rule("deadlock");
  add_place(finding, 1, 13, "waits for mutex 'b' held by worker 2");
  add_place(finding, 2, 22, "took mutex 'b'");
  add_place(finding, 2, 23, "waits for mutex 'a' held by worker 1");
  add_place(finding, 1, 12, "took mutex 'a'");
  add_place(finding, 0, 40, "waits for thread worker 1 (run) to end");
  v1::Fragment& edit = *finding.add_edit();
  edit.set_kind("inserted");
  edit.set_begin_line(22);
  edit.set_description("inserted: lock of b");
  EXPECT_EQ(
      story_of(finding),
      (Strings{"Worker 1 (run) took `a` at pool.cc:12 and waits at pool.cc:13 for mutex `b` held by worker 2.",
               "Worker 2 (run) took `b` at pool.cc:22 and waits at pool.cc:23 for mutex `a` held by worker 1.",
               "Each waits for what another one holds, so none can continue; your edit of line 22 added the lock of "
               "`b`."}));
}

TEST(Story, AFailureNamesWhatAnotherThreadDidBefore) {
  v1::Finding finding = finding_with({
      {1, 17, "read", "count", "read count = 1", {"m"}},
      {2, 9, "write", "count", "write count = 0", {"m"}},
      {1, 18, "read", "count", "read count = 0", {"m"}},
      {1, 19, "end", "", "assertion 'count > 0' failed", {"m"}, true},
  });
  finding.set_rule("assertion");
  finding.set_message("assertion 'count > 0' failed");
  add_place(finding, 1, 19, "assertion fails");
  EXPECT_EQ(story_of(finding),
            (Strings{"Worker 1 (run) comes to pool.cc:19 holding `m`: assertion `count > 0` failed.",
                     "Before that, worker 2 (run) set `count` to 0 at pool.cc:9 holding `m`.",
                     "It happens when worker 2 (run) runs between the steps of worker 1 (run) at pool.cc:17 and "
                     "pool.cc:18."}));
}

std::string shown(const v1::Finding& finding, Detail detail) {
  std::string text;
  for (const OutlineRow& row : rows_shown(finding, detail))
    text += std::to_string(row.first) + "-" + std::to_string(row.last) + " " + row.action + "\n";
  return text;
}

TEST(Outline, ALineIsARowAndTheFindingIsNeverFolded) {
  EXPECT_EQ(shown(race(), Detail::Lines),
            "0-0 create thread worker 1 (run)\n"
            "1-1 create thread worker 2 (run)\n"
            "2-2 lock mutex 'm'\n"
            "3-4 write count = 1\n"
            "5-5 unlock mutex 'm'\n"
            "6-7 call std::vector<...>::size, call std::vector<...>::begin\n"
            "8-8 read count = 1\n");
}

TEST(Outline, TheStoryBeginsWhereTheThreadsPart) {
  const std::string text = shown(race(), Detail::Story);
  EXPECT_EQ(text.find("create thread worker 2"), std::string::npos) << text;  // only one of them comes behind it
  EXPECT_NE(text.find("create thread worker 1"), std::string::npos) << text;
  for (const char* told : {"lock mutex 'm'", "write count = 1", "read count = 1"})
    EXPECT_NE(text.find(told), std::string::npos) << text;
}

TEST(Outline, AtMostEightRowsUnlessTheFindingNamesMore) {
  std::vector<Step> steps;
  for (uint32_t n = 0; n < 400; ++n) steps.push_back({n % 4, n, "write", "x", "write x", {}, n == 10 || n == 399});
  EXPECT_LE(rows_shown(finding_with(steps), Detail::Story).size(), kStoryRows);
  for (uint32_t n = 0; n < 400; n += 40) steps[n].decisive = true;
  const auto rows = rows_shown(finding_with(steps), Detail::Story);
  EXPECT_EQ(rows.size(), 12u);
  EXPECT_EQ(rows.back().step, 399);
}

TEST(Outline, EachStepBelongsToOneRow) {
  const v1::Finding finding = race();
  const std::vector<StepOutline> steps = steps_outlined(finding);
  ASSERT_EQ(steps.size(), static_cast<size_t>(finding.trace_size()));
  EXPECT_EQ(steps[3].row, 4);
  EXPECT_EQ(steps[3].detail, Detail::Everything);
  EXPECT_EQ(steps[4].detail, Detail::Story);
  EXPECT_EQ(steps[4].summary, "write count = 1");
}

// What a thread made of a value that another one wrote over meanwhile: by an atomic object, each load and store of which
// is a call of the library, through a reference that a lambda captured.
v1::Finding lost() {
  const char *load = "std::__atomic_base<int>::operator int", *store = "std::__atomic_base<int>::operator=";
  v1::Finding finding = finding_with({
      {0, 10, "create", "thread worker 1 (run)", "create thread worker 1 (run)"},
      {0, 11, "create", "thread worker 2 (run)", "create thread worker 2 (run)"},
      {2, 30, "read", "count", "read count = &count"},
      {2, 30, "read", "count", "read count = 0", {}, false, {}, load},
      {1, 20, "read", "count", "read count = &count"},
      {1, 20, "read", "count", "read count = 0", {}, false, {}, load},
      {1, 20, "write", "count", "write count = 1", {}, false, {}, store},
      {1, 25, "thread-exit", "", "thread ends"},
      {2, 30, "write", "count", "write count = 1", {}, false, {}, store},
      {0, 12, "join", "thread worker 2 (run)", "join thread worker 2 (run)"},
      {0, 13, "read", "count", "read count = 1", {}, false, {}, "std::__atomic_base<int>::load"},
      {0, 14, "end", "", "'count == 2' fails", {}, true},
  });
  finding.set_rule("assertion");
  finding.set_message("'count == 2' fails: not 1 == 2");
  add_place(finding, 0, 14, "assertion fails");
  return finding;
}

TEST(Story, AnUpdateThatIsLostIsTheCause) {
  EXPECT_EQ(
      story_of(lost()),
      (Strings{"The main thread comes to pool.cc:14: `count == 2` fails: not 1 == 2.",
               "Before that, worker 2 (run) set `count` to 1 at pool.cc:30, from the 0 that it had read at pool.cc:30; "
               "worker 1 (run) had set it to 1 in between, at pool.cc:20: that update is lost."}));
  EXPECT_EQ(shown(lost(), Detail::Story),
            "1-1 create thread worker 2 (run)\n"
            "2-3 read count = 0\n"
            "4-6 read count = 0, write count = 1\n"
            "8-8 write count = 1\n"
            "9-9 join thread worker 2 (run)\n"
            "10-10 read count = 1\n"
            "11-11 'count == 2' fails\n");
}

// A container's memory is the library's; the call in the line of another thread is what changed it.
TEST(Outline, AFailureInALibraryCallHasTheCallOfTheOtherThread) {
  const char *back = "std::vector<int>::back", *pop = "std::vector<int>::pop_back";
  std::vector<Step> steps = {
      {1, 8, "read", "items", "read items = 8", {}, false, {}, "std::vector<int>::empty"},
      {2, 9, "lock", "mutex 'm'", "lock mutex 'm'", {"m"}, false, {}, "std::lock_guard<...>::lock_guard"},
      {2, 11, "read", "items", "read items = 8", {"m"}, false, {}, pop},
      {2, 11, "steps", "", "... 2 steps", {"m"}, false, {}, pop},
      {2, 12, "unlock", "mutex 'm'", "unlock mutex 'm'", {}, false, {}, "std::lock_guard<...>::~lock_guard"},
      {1, 9, "lock", "mutex 'm'", "lock mutex 'm'", {"m"}, false, {}, "std::lock_guard<...>::lock_guard"},
      {1, 10, "read", "items", "read items = 8", {"m"}, false, {}, back},
      {1, 10, "end", "", "reads 4 bytes before the start", {"m"}, true},
  };
  v1::Finding finding = finding_with(steps);
  finding.set_rule("out-of-bounds");
  finding.set_message("reads 4 bytes before the start");
  add_place(finding, 1, 10, "accesses");
  add_place(finding, 0, 6, "allocated it here");
  EXPECT_EQ(story_of(finding),
            (Strings{"Worker 1 (run) comes to pool.cc:10 holding `m`: reads 4 bytes before the start.",
                     "The main thread allocated it at pool.cc:6.",
                     "Before that, worker 2 (run) called `std::vector<int>::pop_back` at pool.cc:11 holding `m`."}));
  const std::string text = shown(finding, Detail::Story);
  EXPECT_NE(text.find("2-3 call std::vector<int>::pop_back\n"), std::string::npos) << text;
  EXPECT_NE(text.find("1-1 lock mutex 'm'\n"), std::string::npos) << text;
}

// Between the calls a driver keeps what they return: no step of the program.
TEST(Outline, WhatADriverDoesIsFolded) {
  v1::Finding finding = finding_with({
      {0, 569, "create", "thread worker 1 (take())", "create thread worker 1 (take())"},
      {0, 570, "create", "thread worker 2 (take())", "create thread worker 2 (take())"},
      {1, 552, "read", "run.scene", "read run.scene = &object"},
      {1, 6, "read", "object.next", "read object.next = 0"},
      {2, 6, "read", "object.next", "read object.next = 0"},
      {2, 7, "write", "object.next", "write object.next = 1"},
      {1, 7, "write", "object.next", "write object.next = 1"},
      {1, 32, "write", "run.results[0].size", "write run.results[0].size = 1"},
      {0, 587, "join", "thread worker 1 (take())", "join thread worker 1 (take())"},
      {0, 572, "create", "thread worker 3 (d5::alone)", "create thread worker 3 (d5::alone)"},
      {3, 6, "read", "object.next", "read object.next = 7"},
      {0, 219, "end", "", "no sequential order of the calls explains their results", {}, true},
  });
  for (const int n : {0, 1, 2, 7, 8, 9, 11})
    finding.mutable_trace(n)->mutable_place()->set_file("/project/src/heddle_harness.cc");
  finding.set_rule("not-linearizable");
  finding.set_message(
      "no sequential order of the calls explains their results: thread 1: take() gives 0; thread 2: take() gives 0; "
      "in the order take(), take(): take() gives 1; in the order take(), take(): take() gives 1");
  add_place(finding, 0, 219, "");
  EXPECT_EQ(shown(finding, Detail::Story),
            "3-3 read object.next = 0\n4-4 read object.next = 0\n"
            "5-5 write object.next = 1\n6-6 write object.next = 1\n"
            "11-11 no sequential order of the calls explains their results\n");
  EXPECT_EQ(shown(finding, Detail::Lines).find("run."), std::string::npos) << shown(finding, Detail::Lines);
  EXPECT_EQ(story_of(finding),
            (Strings{"Thread 1: take() gives 0; thread 2: take() gives 0.",
                     "One after the other, the calls never give that: in the order take(), take(): take() gives 1.",
                     "Worker 1 (run) set `object.next` to 1 at pool.cc:7 without a lock, from the 0 that it had read "
                     "at pool.cc:6; worker 2 (run) had set it to 1 in between, at pool.cc:7: that update is lost."}));
}

// Store buffering, each thread in one line: the one that comes second finds the first value of `x`.
v1::Finding store_buffering() {
  const std::string older = "read x = 0, its first value, not the value stored last";
  v1::Finding finding = finding_with({
      {0, 10, "create", "thread worker 1 (run)", "create thread worker 1 (run)"},
      {0, 11, "create", "thread worker 2 (run)", "create thread worker 2 (run)"},
      {1, 6, "write", "x", "write x = 1", {}, false, {0}},
      {1, 6, "read", "y", "read y = 0"},
      {1, 6, "thread-exit", "", "thread ends"},
      {2, 7, "write", "y", "write y = 1", {}, false, {1}},
      {2, 7, "read", "x", older},
      {2, 7, "thread-exit", "", "thread ends"},
      {0, 12, "join", "thread worker 1 (run)", "join thread worker 1 (run)", {}, false, {4}},
      {0, 13, "join", "thread worker 2 (run)", "join thread worker 2 (run)", {}, false, {7}},
      {0, 14, "end", "", "assertion 'r1 || r2' failed", {}, true},
  });
  finding.mutable_trace(6)->set_value_read("0");
  finding.set_rule("assertion");
  finding.set_only_under("rc11");
  finding.set_message("only under RC11: assertion 'r1 || r2' failed (`x` at line 7 is read relaxed)");
  add_place(finding, 0, 14, "assertion fails");
  return finding;
}

TEST(Story, AFailureOfWeakMemoryNamesTheReadAndTheStoreThatItDoesNotFind) {
  v1::Finding finding = store_buffering();
  Strings story = {"The main thread comes to pool.cc:14: assertion `r1 || r2` failed.",
                   "Worker 2 (run) reads `x` at pool.cc:7 and finds its first value, 0, not the 1 that worker 1 (run) "
                   "stored at pool.cc:6.",
                   "Sequential consistency does not allow that, RC11 does."};
  EXPECT_EQ(story_of(finding), story);
  v1::OrderChange& change = *finding.mutable_remedy()->add_changes();
  change.mutable_place()->set_file("/project/src/pool.cc");
  change.mutable_place()->set_line(6);
  change.set_operation("store");
  change.set_to("seq_cst");
  for (const auto& [weakest, words] : {std::pair{true, "the weakest orders that forbid it"}, {false, "forbidden by"}}) {
    finding.mutable_remedy()->set_weakest(weakest);
    finding.set_message("only under RC11: assertion 'r1 || r2' failed (`x` at line 7 is read relaxed); " +
                        std::string(words) + ": store at line 6 seq_cst");
    story[2] = "Sequential consistency does not allow that, RC11 does; " + std::string(words) +
               ": store at pool.cc:6 seq_cst.";
    EXPECT_EQ(story_of(finding), story);
  }
  // The store that it finds, and one of several.
  for (const char* origin : {", stored at pool.cc:7", ", stored at pool.cc:7 or pool.cc:9", "",
                             ", its first value or stored at pool.cc:7"}) {
    finding.mutable_trace(6)->set_action("read x = 0" + std::string(origin) + ", not the value stored last");
    EXPECT_NE(story_of(finding)[1].find("and finds 0" + std::string(origin) + ", not the 1 that"), std::string::npos);
  }
}

TEST(Outline, AReadOfAnOlderValueAndTheStoreThatItDoesNotFindBelongToTheStory) {
  const std::string text = shown(store_buffering(), Detail::Story);
  EXPECT_NE(text.find("2-4 write x = 1, read y = 0\n"), std::string::npos) << text;
  EXPECT_NE(text.find("5-7 write y = 1, read x = 0, its first value, not the value stored last\n"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("thread ends"), std::string::npos) << text;
  // Several may have stored what is found.
  v1::Finding several = finding_with({
      {1, 5, "write", "x", "write x = 1"},
      {1, 6, "write", "x", "write x = 2"},
      {1, 7, "write", "x", "write x = 1"},
      {1, 8, "write", "x", "write x = 3"},
      {1, 9, "write", "y", "write y = 1"},
      {2, 14, "read", "y", "read y = 1"},
      {2, 15, "read", "x", "read x = 1, stored at pool.cc:5 or pool.cc:7, not the value stored last"},
      {2, 15, "end", "", "assertion 'x != 1' failed", {}, true},
  });
  several.mutable_trace(6)->set_value_read("1");
  const std::string stores = shown(several, Detail::Story);
  for (const char* row : {"0-0 write x = 1\n", "2-2 write x = 1\n", "3-3 write x = 3\n"})
    EXPECT_NE(stores.find(row), std::string::npos) << stores;
  EXPECT_EQ(stores.find("write x = 2"), std::string::npos) << stores;
}

Reordered reordered(const v1::Finding& finding, int step, int before) {
  return std::get<Reordered>(reorder(finding, step, before));
}

// Every order that is called possible keeps the order of each thread and of all that happens before a step.
void expect_keeps_order(const v1::Finding& finding, const std::vector<int>& order) {
  std::vector<int> position(order.size(), -1);
  for (size_t n = 0; n < order.size(); ++n) position.at(static_cast<size_t>(order[n])) = static_cast<int>(n);
  EXPECT_EQ(std::count(position.begin(), position.end(), -1), 0);
  for (int n = 0; n < finding.trace_size(); ++n) {
    for (const uint32_t earlier : finding.trace(n).after())
      EXPECT_LT(position[earlier], position[static_cast<size_t>(n)]);
    for (int m = 0; m < n; ++m) {
      if (finding.trace(m).thread_number() != finding.trace(n).thread_number()) continue;
      EXPECT_LT(position[static_cast<size_t>(m)], position[static_cast<size_t>(n)]);
    }
  }
}

TEST(Reorder, NothingOrdersTheTwoOfARace) {
  const v1::Finding finding = race();
  const Reordered moved = reordered(finding, 8, 4);
  EXPECT_TRUE(moved.possible);
  EXPECT_EQ(moved.answer,
            "possible: nothing orders step 5 before step 9; they conflict on `count`: values may differ from there on");
  EXPECT_EQ(moved.order, (std::vector<int>{0, 1, 2, 3, 6, 7, 8, 4, 5}));
  expect_keeps_order(finding, moved.order);
}

TEST(Reorder, AMutexAThreadAndTheCodeOrder) {
  const v1::Finding finding = finding_with({
      {0, 10, "create", "thread worker 1 (run)", "create thread worker 1 (run)"},
      {1, 20, "lock", "mutex 'm'", "lock mutex 'm'", {"m"}, false, {0}},
      {1, 21, "write", "count", "write count = 1", {"m"}},
      {1, 22, "unlock", "mutex 'm'", "unlock mutex 'm'"},
      {0, 11, "lock", "mutex 'm'", "lock mutex 'm'", {"m"}, false, {3}},
      {0, 12, "write", "count", "write count = 2", {"m"}},
  });
  EXPECT_EQ(reordered(finding, 5, 2).answer,
            "impossible: mutex `m` (worker 1 (run): unlock mutex 'm', step 4, comes before step 5) orders them");
  EXPECT_FALSE(reordered(finding, 5, 2).possible);
  EXPECT_EQ(reordered(finding, 2, 0).answer,
            "impossible: thread worker 1 (run) (main: create thread worker 1 (run), step 1, comes before step 2) "
            "orders them");
  EXPECT_EQ(reordered(finding, 3, 1).answer, "impossible: both are steps of worker 1 (run), in the order of its code");
  EXPECT_EQ(reordered(finding, 1, 3).answer, "possible: it is so already");
  EXPECT_EQ(reordered(finding, 1, 3).order, (std::vector<int>{0, 1, 2, 3, 4, 5}));
}

TEST(Reorder, EveryPairOfSteps) {
  const v1::Finding finding = race();
  for (int step = 0; step < finding.trace_size(); ++step)
    for (int before = 0; before < finding.trace_size(); ++before) {
      const Reordered moved = reordered(finding, step, before);
      if (!moved.possible) {
        EXPECT_TRUE(moved.order.empty());
        continue;
      }
      expect_keeps_order(finding, moved.order);
      const auto at = [&](int n) { return std::find(moved.order.begin(), moved.order.end(), n); };
      EXPECT_TRUE(step == before || at(step) < at(before)) << step << " " << before;
    }
}

TEST(Reorder, StepsThatAreNotThere) {
  for (const auto& [step, before] : {std::pair{9, 0}, {0, 9}, {-1, 3}, {2147483647, 0}}) {
    const auto answer = reorder(race(), step, before);
    ASSERT_TRUE(std::holds_alternative<Failure>(answer));
    EXPECT_NE(std::get<Failure>(answer).remedy.find("1 to 9"), std::string::npos);
  }
  EXPECT_TRUE(std::holds_alternative<Failure>(reorder(v1::Finding(), 0, 0)));
}

}  // namespace
}  // namespace heddle::client
