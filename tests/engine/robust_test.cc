// Kill, cancel, fill the disk: the next check is right all the same.
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "server/base/clock.h"
#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

using Rules = std::vector<std::string>;

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

const char* kRacy =
    "#include <pthread.h>\n"
    "static int n;\n"
    "static void *work(void *p) { n++; return p; }\n"
    "int main(void) {\n"
    "  pthread_t a, b;\n"
    "  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0);\n"
    "  return 0;\n"
    "}\n";

// What is waited for happens, however busy the machine is; only a test that fails waits this long.
constexpr double kPatienceMs = 120'000;

bool wait_until(const std::function<bool()>& happened) {
  const base::SteadyTime start = base::now();
  while (!happened() && base::ms_since(start) < kPatienceMs) ::usleep(2000);
  return happened();
}

void wait_for_explorers(const EngineProcess& engine) {
  EXPECT_TRUE(wait_until([&] { return !engine.children().empty(); }));
}

bool have_ended(const std::vector<pid_t>& processes) {
  return wait_until([&] {
    return std::none_of(processes.begin(), processes.end(), [](pid_t process) { return ::kill(process, 0) == 0; });
  });
}

// How far an exploration has come is in the ledger's file.
bool has_saved_stand(const ProjectFolder& folder) {
  sqlite3* database = nullptr;
  sqlite3_stmt* rows = nullptr;
  bool found = false;
  if (sqlite3_open_v2(folder.file(".cache/heddle/ledger.sqlite").c_str(), &database, SQLITE_OPEN_READONLY, nullptr) ==
          SQLITE_OK &&
      sqlite3_prepare_v2(database, "SELECT 1 FROM job WHERE key LIKE '% stands'", -1, &rows, nullptr) == SQLITE_OK)
    found = sqlite3_step(rows) == SQLITE_ROW;
  sqlite3_finalize(rows);
  sqlite3_close(database);
  return found;
}

TEST(Robust, NewerCheckCancelsTheRunningOne) {
  ProjectFolder folder;
  folder.write("a.c", kLong);
  EngineProcess engine;
  const uint64_t first = engine.send_check(request_for(folder.file("a.c")));
  wait_for_explorers(engine);
  folder.write("a.c", kRacy);
  const uint64_t second = engine.send_check(request_for(folder.file("a.c")));
  const Answer cancelled = engine.collect(first);
  ASSERT_TRUE(cancelled.done);
  EXPECT_EQ(cancelled.final_verdict()->error(), v1::ERROR_CANCELLED);
  EXPECT_EQ(engine.collect(second).rules(), Rules{"data-race"});
  EXPECT_TRUE(engine.children().empty());
}

TEST(Robust, CancelStopsAtOnceAndLeavesDebt) {
  ProjectFolder folder;
  folder.write("a.c", kLong);
  EngineProcess engine;
  const uint64_t request = engine.send_check(request_for(folder.file("a.c")));
  wait_for_explorers(engine);
  v1::Frame frame;
  frame.mutable_cancel();
  engine.send(frame);
  const Answer cancelled = engine.collect(request);
  ASSERT_TRUE(cancelled.done);
  EXPECT_EQ(cancelled.final_verdict()->error(), v1::ERROR_CANCELLED);
  EXPECT_TRUE(engine.children().empty());
  v1::CheckRequest again = request_for(folder.file("a.c"));
  again.set_time_limit_seconds(0.3);
  EXPECT_EQ(engine.check(again).final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE);
}

// A reader looks at the cells from the last one down, writers copy from cell to cell: many executions of few states.
const char* kManyExecutions =
    "#include <pthread.h>\n"
    "#include <stdatomic.h>\n"
    "static atomic_int x[15];\n"
    "static void *step(void *p) { long j = (long)p; x[j] = x[j - 1] + 1; return 0; }\n"
    "static void *zero(void *p) { int i = 14; while (x[i] != 0) i--; return p; }\n"
    "int main(void) {\n"
    "  pthread_t t[15];\n"
    "  for (long j = 0; j < 15; j++) pthread_create(&t[j], 0, j ? step : zero, (void *)j);\n"
    "  for (long j = 0; j < 15; j++) pthread_join(t[j], 0);\n"
    "  return 0;\n"
    "}\n";

// A save comes between; when the file is as it was, full exploration goes on where it stood.
TEST(Robust, AFullCheckThatASavePreemptedGoesOn) {
  ProjectFolder folder;
  folder.write_database({"a.c"});  // the ledger lies beside it
  folder.write("a.c", kManyExecutions);
  EngineProcess engine;
  v1::CheckRequest full = request_for(folder.file("a.c"));
  full.set_full(true);
  const uint64_t first = engine.send_check(full);
  wait_for_explorers(engine);
  ASSERT_TRUE(wait_until([&] { return has_saved_stand(folder); }));
  folder.write("a.c", kRacy);
  const uint64_t save = engine.send_check(request_for(folder.file("a.c")));
  const Answer preempted = engine.collect(first);
  ASSERT_EQ(preempted.final_verdict()->error(), v1::ERROR_CANCELLED) << "it ended before the save: no test";
  EXPECT_EQ(engine.collect(save).rules(), Rules{"data-race"});
  folder.write("a.c", kManyExecutions);
  const Answer answer = engine.check(full);
  const v1::Verdict& verdict = *answer.final_verdict();
  EXPECT_EQ(verdict.kind(), v1::VERDICT_CLEAR);
  EXPECT_EQ(verdict.scope().full(), v1::STEP_COMPLETE);
  EXPECT_GT(verdict.stats().resumed(), 0u);
  EXPECT_LT(verdict.stats().resumed(), verdict.stats().executions());
}

TEST(Robust, QuestionsAreAnsweredWhileExploring) {
  ProjectFolder folder;
  folder.write("a.c", kLong);
  EngineProcess engine;
  const uint64_t check = engine.send_check(request_for(folder.file("a.c")));
  wait_for_explorers(engine);
  v1::Frame frame;
  frame.mutable_status();
  const uint64_t status = engine.send(frame);
  bool answered = false, ended = false;
  while (!answered && !ended) {
    const auto got = engine.receive(kPatienceMs / 1000);
    ASSERT_TRUE(got);
    answered = got->request() == status && got->has_status_is() && got->status_is().phase() != "idle";
    ended = got->request() == check && got->has_done();
  }
  EXPECT_TRUE(answered) << "before the check has ended";
}

TEST(Robust, KilledExplorersMakeTheCheckInconclusive) {
  ProjectFolder folder;
  folder.write("a.c", kLong);
  EngineProcess engine({{{"HEDDLE_FIRST_SECONDS", "3"}, {"HEDDLE_STEP1_SECONDS", "1"}}, 0});
  const uint64_t request = engine.send_check(request_for(folder.file("a.c")));
  Answer answer;
  std::atomic<bool> done{false};
  std::thread killer([&] {
    while (!done) {
      for (const pid_t child : engine.children()) ::kill(child, SIGKILL);
      ::usleep(3000);
    }
  });
  answer = engine.collect(request, kPatienceMs / 1000);
  done = true;
  killer.join();
  ASSERT_TRUE(answer.done);
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE);
  // On a busy machine they are gone before they have said anything.
  const std::string& message = answer.final_verdict()->message();
  EXPECT_TRUE(message.find("SIGKILL") != std::string::npos ||
              message.find("end before they begin") != std::string::npos)
      << message;
  const Answer again = engine.check(folder.file("a.c"));
  EXPECT_GT(again.pairs_started(), 0u) << "a lost explorer is tried again";
  EXPECT_EQ(again.final_verdict()->message().find("SIGKILL"), std::string::npos);
  folder.write("a.c", kRacy);
  EXPECT_EQ(engine.check(folder.file("a.c")).rules(), Rules{"data-race"});
}

TEST(Robust, ExplorerMemoryLimitIsToldAsSuch) {
  ProjectFolder folder;
  folder.write("a.c",
               "#include <stdlib.h>\n#include <string.h>\n"
               "int main(void) { for (int i = 0; i < 400; i++) { char *p = malloc(1 << 20); if (!p) return 1; "
               "memset(p, i, 1 << 20); } }\n");
  EngineProcess engine({{{"HEDDLE_EXPLORER_MEMORY_MB", "64"}, {"HEDDLE_BACKGROUND_SECONDS", "0.1"}}, 0});
  const Answer answer = engine.check(folder.file("a.c"));
  ASSERT_TRUE(answer.done);
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE);
  EXPECT_NE(answer.final_verdict()->message().find("memory limit"), std::string::npos)
      << answer.final_verdict()->message();
}

// Each addition could be revisited by each of the other thread's.
TEST(Robust, TheMemoryLimitOfExecutionGraphsHasAPlace) {
  ProjectFolder folder;
  folder.write(
      "a.c",
      "#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int n;\n"
      "static void *work(void *p) {\n"
      "  for (int i = 0; i < 40000; i++) atomic_fetch_add(&n, 1);\n"
      "  return p;\n"
      "}\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); work(0); pthread_join(t, 0); return 0; }\n");
  EngineProcess engine({{{"HEDDLE_EXPLORER_MEMORY_MB", "64"}, {"HEDDLE_BACKGROUND_SECONDS", "0.1"}}, 0});
  v1::CheckRequest request = request_for(folder.file("a.c"));
  request.set_full(true);
  request.set_memory_model(v1::MEMORY_MODEL_RC11);
  const Answer answer = engine.collect(engine.send_check(request));
  ASSERT_TRUE(answer.done);
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE);
  const std::string& message = answer.final_verdict()->message();
  EXPECT_NE(message.find("memory limit of 64 MB in work ("), std::string::npos) << message;
  EXPECT_NE(message.find("a.c:5)"), std::string::npos) << message;
}

TEST(Robust, WhatACancelledCheckOwedIsFoundByTheNext) {
  ProjectFolder folder;
  EngineProcess engine;
  const std::string good = std::string(kRacy).replace(std::string(kRacy).find("n++;"), 4, "");
  for (const int delay_us : {0, 5'000, 20'000, 40'000}) {
    folder.write("a.c", good + "int unused" + std::to_string(delay_us) + ";\n");
    ASSERT_EQ(engine.check(folder.file("a.c")).final_verdict()->kind(), v1::VERDICT_CLEAR);
    folder.write("a.c", kRacy + ("int unused" + std::to_string(delay_us)) + ";\n");
    const uint64_t request = engine.send_check(request_for(folder.file("a.c")));
    ::usleep(static_cast<useconds_t>(delay_us));
    v1::Frame cancel;
    cancel.mutable_cancel();
    engine.send(cancel);
    EXPECT_TRUE(engine.collect(request).done);
    folder.write("a.c", kRacy + ("int unused" + std::to_string(delay_us)) + ";\n// a harmless save on top\n");
    EXPECT_EQ(engine.check(folder.file("a.c")).rules(), Rules{"data-race"}) << delay_us;
  }
}

TEST(Robust, KilledEngineTakesItsExplorersAlongAndTheNextOneIsRight) {
  ProjectFolder folder;
  for (const int delay_us : {0, 3'000, 15'000, 60'000, 200'000}) {
    folder.write("a.c", kRacy + std::string("// ") + std::to_string(delay_us) + "\n");
    EngineProcess engine;
    engine.send_check(request_for(folder.file("a.c")));
    ::usleep(static_cast<useconds_t>(delay_us));
    const std::vector<pid_t> explorers = engine.children();
    engine.kill(SIGKILL);
    engine.wait();
    EXPECT_TRUE(have_ended(explorers));
    EngineProcess next;
    EXPECT_EQ(next.check(folder.file("a.c")).rules(), Rules{"data-race"});
  }
}

// One that has nothing to say for seconds, and so does not notice by itself that nobody listens.
TEST(Robust, SilentExplorersDieWithTheirEngine) {
  ProjectFolder folder;
  folder.write("a.c", "int main(void) { volatile long x = 0; for (;;) x++; }\n");
  EngineProcess engine({{{"HEDDLE_FIRST_SECONDS", "10000"}}, 0});
  engine.send_check(request_for(folder.file("a.c")));
  wait_for_explorers(engine);
  const std::vector<pid_t> explorers = engine.children();
  ASSERT_FALSE(explorers.empty());
  ::usleep(50'000);
  engine.kill(SIGKILL);
  engine.wait();
  EXPECT_TRUE(have_ended(explorers));
}

TEST(Robust, FullDiskIsToldAndTheCheckAnswers) {
  const ProjectFolder folder;
  folder.write("a.c", kRacy);
  EngineProcess engine({{}, 4096});
  EXPECT_EQ(engine.check(folder.file("a.c")).rules(), Rules{"data-race"});
  folder.write("a.c", kRacy + std::string("// again\n"));
  const Answer second = engine.check(folder.file("a.c"));
  EXPECT_EQ(second.rules(), Rules{"data-race"});
  std::string assumptions;
  for (const std::string& assumption : second.final_verdict()->scope().assumptions()) assumptions += assumption + "\n";
  EXPECT_NE(assumptions.find("remembered"), std::string::npos) << assumptions;
}

TEST(Robust, DamagedLedgerCostsTimeOnly) {
  ProjectFolder folder;
  folder.write_database({"a.c"});  // the ledger lies beside it
  folder.write("a.c", kRacy);
  { EXPECT_EQ(EngineProcess().check(folder.file("a.c")).rules(), Rules{"data-race"}); }
  std::ofstream(folder.file(".cache/heddle/ledger.sqlite"), std::ios::trunc) << std::string(5000, 'z');
  for (const auto& entry : std::filesystem::directory_iterator(folder.file(".cache/heddle/units")))
    std::ofstream(entry.path(), std::ios::trunc) << "z";
  EngineProcess engine;
  const Answer answer = engine.check(folder.file("a.c"));
  EXPECT_EQ(answer.rules(), Rules{"data-race"});
  EXPECT_NE(answer.text().find("renamed"), std::string::npos);
}

const char* kOrdered =
    "#include <pthread.h>\n"
    "static int n;\n"
    "static void *work(void *p) { n++; return p; }\n"
    "int main(void) {\n"
    "  pthread_t a;\n"
    "  pthread_create(&a, 0, work, 0);\n"
    "  pthread_join(a, 0);\n"
    "  n++;\n"
    "  return 0;\n"
    "}\n";

// What was known is gone with it; what is found from then on is kept in a new one.
TEST(Robust, ACacheFolderThatIsRemovedIsMadeAgain) {
  ProjectFolder folder;
  folder.write_database({"a.c"});  // the ledger lies beside it
  folder.write("a.c", kOrdered);
  EngineProcess engine;
  EXPECT_EQ(engine.check(folder.file("a.c")).final_verdict()->kind(), v1::VERDICT_CLEAR);
  for (int round = 0; round < 2; ++round) {
    std::filesystem::remove_all(folder.file(".cache"));
    const Answer first = engine.check(folder.file("a.c"));
    EXPECT_EQ(first.final_verdict()->kind(), v1::VERDICT_CLEAR);
    EXPECT_EQ(first.final_verdict()->scope().summary().find("judged before"), std::string::npos);
    EXPECT_EQ(first.text().find("cannot be written"), std::string::npos) << first.text();
    EXPECT_TRUE(std::filesystem::exists(folder.file(".cache/heddle/.gitignore")));
    EXPECT_TRUE(std::filesystem::exists(folder.file(".cache/heddle/ledger.sqlite")));
  }
  EngineProcess next;
  EXPECT_EQ(next.check(folder.file("a.c")).final_verdict()->kind(), v1::VERDICT_CLEAR);
  std::filesystem::remove_all(folder.file(".cache"));
  folder.write("a.c", kRacy);
  EXPECT_EQ(next.check(folder.file("a.c")).rules(), Rules{"data-race"});
  folder.write("a.c", kOrdered);
  EXPECT_EQ(EngineProcess().check(folder.file("a.c")).final_verdict()->kind(), v1::VERDICT_CLEAR);
}

TEST(Robust, ALedgerThatIsReplacedByAnotherIsReadAgain) {
  ProjectFolder folder;
  folder.write_database({"a.c"});  // the ledger lies beside it
  folder.write("a.c", kOrdered);
  EngineProcess engine;
  engine.check(folder.file("a.c"));
  std::filesystem::rename(folder.file(".cache"), folder.file("aside"));
  EXPECT_EQ(engine.check(folder.file("a.c")).final_verdict()->kind(), v1::VERDICT_CLEAR);
  std::filesystem::remove_all(folder.file(".cache"));
  std::filesystem::rename(folder.file("aside"), folder.file(".cache"));
  folder.write("a.c", kRacy);
  const Answer answer = engine.check(folder.file("a.c"));
  EXPECT_EQ(answer.rules(), Rules{"data-race"});
  EXPECT_EQ(answer.text().find("cannot be written"), std::string::npos) << answer.text();
}

TEST(Robust, ALockedLedgerIsToldAndTheCheckAnswers) {
  ProjectFolder folder;
  folder.write_database({"a.c"});  // the ledger lies beside it
  folder.write("a.c", kRacy);
  { EXPECT_EQ(EngineProcess().check(folder.file("a.c")).rules(), Rules{"data-race"}); }
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(folder.file(".cache/heddle/ledger.sqlite").c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "PRAGMA locking_mode=EXCLUSIVE;BEGIN EXCLUSIVE", nullptr, nullptr, nullptr), SQLITE_OK);
  EngineProcess engine;
  const auto unread = [](const Answer& answer) { return answer.text().find("could not be read") != std::string::npos; };
  const Answer locked = engine.check(folder.file("a.c"));
  EXPECT_EQ(locked.rules(), Rules{"data-race"});
  EXPECT_TRUE(unread(locked)) << locked.text();
  sqlite3_close(other);
  folder.write("a.c", kRacy + std::string("// again\n"));
  const Answer read = engine.check(folder.file("a.c"));
  EXPECT_EQ(read.pairs_started(), 0u) << "what was kept meanwhile is used";
  EXPECT_FALSE(unread(read));
}

TEST(Robust, GarbageOnTheChannelEndsTheEngine) {
  EngineProcess engine;
  engine.send_raw("GET / HTTP/1.1\r\nHost: somewhere\r\n\r\n");
  const int status = engine.wait();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

TEST(Robust, ShutdownEndsTheEngine) {
  EngineProcess engine;
  v1::Frame frame;
  frame.mutable_shutdown();
  engine.send(frame);
  const int status = engine.wait();
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST(Robust, GuestThatWantsTooMuch) {
  ProjectFolder folder;
  EngineProcess engine({{{"HEDDLE_GUEST_INSTRUCTIONS", "2000000"}, {"HEDDLE_FIRST_SECONDS", "10"}}, 0});
  const auto verdict = [&](const std::string& text) {
    folder.write("a.c", text);
    const Answer answer = engine.check(folder.file("a.c"));
    EXPECT_TRUE(answer.done) << text;
    return answer.done ? *answer.final_verdict() : v1::Verdict();
  };
  EXPECT_EQ(verdict("int main(void) { volatile int x = 0; for (;;) x++; }\n").kind(), v1::VERDICT_INCONCLUSIVE);
  const v1::Verdict deep = verdict("int f(int n) { return n ? f(n + 1) + 1 : 0; }\nint main(void) { return f(1); }\n");
  EXPECT_EQ(deep.kind(), v1::VERDICT_FINDINGS);
  const v1::Verdict memory = verdict(
      "#include <stdlib.h>\n#include <string.h>\nint main(void) { for (;;) { char *p = malloc(1 << 26); if (!p) return "
      "1; "
      "memset(p, 1, 1 << 26); } }\n");
  EXPECT_NE(memory.kind(), v1::VERDICT_ERROR);
}

}  // namespace
}  // namespace heddle::engine::test
