// Engines that die, hang or talk nonsense: every stream still ends with a verdict, and the next check works.
#include <signal.h>

#include <algorithm>

#include "tests/daemon/daemon_fixture.h"

namespace heddle::daemon {
namespace {

using namespace std::chrono_literals;

TEST_F(DaemonTest, ACrashIsRepeatedOnceAndFindingsAreNot) {
  ASSERT_TRUE(start());
  const auto stream =
      check(write_file("a.c", "// fake: finding data-race\n// fake: crash-once " + project_ + "/mark\n"));
  const v1::Verdict* verdict = stream->wait_verdict();
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->kind(), v1::VERDICT_FINDINGS);
  const auto events = stream->events();
  EXPECT_EQ(std::count_if(events.begin(), events.end(), [](const v1::Event& event) { return event.has_finding(); }), 1);
  EXPECT_EQ(status().engine_restarts(), 1u);
}

TEST_F(DaemonTest, TwoCrashesEndTheCheckWithAnError) {
  ASSERT_TRUE(start());
  make_database();
  const auto stream = check(write_file("a.c", "// fake: crash\n"));
  const v1::Verdict* verdict = stream->wait_verdict();
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->kind(), v1::VERDICT_ERROR);
  EXPECT_EQ(verdict->error(), v1::ERROR_INTERNAL);
  const auto next = check(write_file("b.c", ""));
  ASSERT_TRUE(next->wait_verdict());
  EXPECT_EQ(next->wait_verdict()->kind(), v1::VERDICT_CLEAR);
}

TEST_F(DaemonTest, ACrashInTheCompilerNamesTheUnit) {
  ASSERT_TRUE(start());
  const auto stream = check(write_file("a.c", "// fake: unit /src/bad.c\n// fake: crash\n"));
  const v1::Verdict* verdict = stream->wait_verdict();
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->kind(), v1::VERDICT_INCONCLUSIVE);
  EXPECT_NE(verdict->message().find("/src/bad.c"), std::string::npos) << verdict->message();
}

TEST_F(DaemonTest, GarbageIsACrash) {
  ASSERT_TRUE(start());
  const auto stream = check(write_file("a.c", "// fake: garbage\n"));
  ASSERT_TRUE(stream->wait_verdict());
  EXPECT_EQ(stream->wait_verdict()->kind(), v1::VERDICT_ERROR);
}

TEST_F(DaemonTest, AHungEngineIsKilled) {
  ASSERT_TRUE(start({"--engine-silence", "2"}));
  const auto stream = check(write_file("a.c", "// fake: stuck\n"));
  ASSERT_TRUE(stream->wait_verdict());
  EXPECT_EQ(stream->wait_verdict()->kind(), v1::VERDICT_ERROR);
  EXPECT_TRUE(check(write_file("b.c", ""))->wait_verdict());
}

TEST_F(DaemonTest, ALongSearchThatAnswersIsNotHung) {
  ASSERT_TRUE(start({"--engine-silence", "4"}));
  const auto stream = check(write_file("a.c", "// fake: sleep 6000\n"));
  ASSERT_TRUE(stream->wait_verdict());
  EXPECT_EQ(stream->wait_verdict()->kind(), v1::VERDICT_CLEAR);
}

TEST_F(DaemonTest, ADaemonThatWasStoppedItselfAsksBeforeItKills) {
  ASSERT_TRUE(start({"--engine-silence", "2"}));
  const auto stream = check(write_file("a.c", until_go()));
  ASSERT_TRUE(stream->wait([](const v1::Event& event) { return event.has_started(); }));
  ASSERT_EQ(kill(pid_, SIGSTOP), 0);
  std::this_thread::sleep_for(2500ms);
  ASSERT_EQ(kill(pid_, SIGCONT), 0);
  std::this_thread::sleep_for(500ms);  // it finds the time of its questions long past
  go();
  ASSERT_TRUE(stream->wait_verdict());
  EXPECT_EQ(stream->wait_verdict()->kind(), v1::VERDICT_CLEAR);
  EXPECT_EQ(status().engine_restarts(), 0u);
}

TEST_F(DaemonTest, AnEngineThatDoesNotHearCancelsIsKilled) {
  ASSERT_TRUE(start({"--cancel-grace", "0.1"}));
  make_database();
  const auto older = check(write_file("deaf.c", "// fake: finding data-race\n// fake: stuck\n"));
  ASSERT_TRUE(older->wait([](const v1::Event& event) { return event.has_finding(); }));
  const auto newer = check(write_file("b.c", ""));
  ASSERT_TRUE(newer->wait_verdict());
  EXPECT_EQ(newer->wait_verdict()->kind(), v1::VERDICT_CLEAR);
}

TEST_F(DaemonTest, AnEngineWithoutAVerdictIsAnError) {
  ASSERT_TRUE(start());
  const auto stream = check(write_file("a.c", "// fake: no-verdict\n"));
  ASSERT_TRUE(stream->wait_verdict());
  EXPECT_EQ(stream->wait_verdict()->error(), v1::ERROR_INTERNAL);
}

TEST_F(DaemonTest, AnEngineKilledBetweenChecksIsReplaced) {
  ASSERT_TRUE(start());
  const std::string file = write_file("a.c", "// fake: finding data-race\n");
  ASSERT_TRUE(check(file)->wait_verdict());
  const auto engine = static_cast<pid_t>(status().engine_pid());
  kill(engine, SIGKILL);
  const auto stream = check(file);
  ASSERT_TRUE(stream->wait_verdict());
  EXPECT_EQ(stream->wait_verdict()->kind(), v1::VERDICT_FINDINGS);
  EXPECT_EQ(stream->wait_verdict()->message(), "");
  EXPECT_NE(status().engine_pid(), engine);
}

TEST_F(DaemonTest, ManyCrashesGiveTheEngineARest) {
  ASSERT_TRUE(start({"--crashes-max", "3"}));
  const std::string file = write_file("a.c", "// fake: crash\n");
  std::string message;
  for (int i = 0; i < 3; ++i) {
    const auto stream = check(file);
    ASSERT_TRUE(stream->wait_verdict());
    message = stream->wait_verdict()->message();
  }
  EXPECT_NE(message.find("times within a minute"), std::string::npos) << message;
}

TEST_F(DaemonTest, AMissingEngineIsSaidClearly) {
  ASSERT_TRUE(start({"--engine", project_ + "/nothing"}));
  const auto stream = check(write_file("a.c", ""));
  ASSERT_TRUE(stream->wait_verdict());
  EXPECT_EQ(stream->wait_verdict()->error(), v1::ERROR_INTERNAL);
  EXPECT_NE(stream->wait_verdict()->message().find("cannot start the engine"), std::string::npos);
}

}  // namespace
}  // namespace heddle::daemon
