// Heddle as its user meets it: the real binaries, a project on disk, and everything that can go wrong around them.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "examples/tour/session.h"

namespace {

using heddle::tour::Answer;
using heddle::tour::Session;
using Json = nlohmann::json;

std::string replaced(std::string text, const std::string& before, const std::string& after) {
  const size_t at = text.find(before);
  EXPECT_NE(at, std::string::npos) << before;
  return at == std::string::npos ? text : text.replace(at, before.size(), after);
}

class Robustness : public testing::Test {
 protected:
  Session session{HEDDLE_BINARY, HEDDLE_SOURCE_DIR "/tests/robustness/project"};
  const std::string counter = session.read("src/counter.c");
  const std::string racy =
      replaced(counter, "  pthread_mutex_lock(&lock);\n  value += amount;\n  pthread_mutex_unlock(&lock);\n",
               "  value += amount;\n");

  Answer check() { return session.check({"src/counter.c"}); }

  // Verdict and exit code, with what is needed to understand a difference.
  static void expect(const Answer& answer, const std::string& verdict, int exit_code) {
    EXPECT_EQ(answer.verdict().value("verdict", "none"), verdict) << answer.verdict().dump() << answer.errors;
    EXPECT_EQ(answer.exit_code, exit_code) << answer.errors;
  }

  Json status() {
    const Answer answer = session.run({"status", "--format=jsonl"});
    const auto events = answer.of_type("status");
    return events.empty() ? Json::object() : events.back()->data;
  }
};

TEST_F(Robustness, AnEditAndItsRepair) {
  expect(check(), "clear", 0);
  session.save("src/counter.c", racy);
  const Answer broken = check();
  expect(broken, "findings", 1);
  ASSERT_FALSE(broken.of_type("finding").empty());
  EXPECT_EQ(broken.of_type("finding")[0]->data.value("rule", ""), "data-race");
  session.save("src/counter.c", counter);
  expect(check(), "clear", 0);
}

TEST_F(Robustness, CheckingAgainCostsNoExploration) {
  expect(check(), "clear", 0);
  const Answer again = check();
  expect(again, "clear", 0);
  EXPECT_EQ(again.verdict()["stats"].value("executions", 1), 0);
}

TEST_F(Robustness, ASyntaxErrorLosesNothing) {
  expect(check(), "clear", 0);
  session.save("src/counter.c", replaced(counter, "int result = value;", "int result = value"));
  const Answer broken = check();
  expect(broken, "error", 4);
  EXPECT_NE(broken.verdict().dump().find("counter.c"), std::string::npos) << broken.verdict().dump();
  session.save("src/counter.c", counter);
  const Answer repaired = check();
  expect(repaired, "clear", 0);
  EXPECT_EQ(repaired.verdict()["stats"].value("executions", 1), 0) << "the verified version was forgotten";
}

TEST_F(Robustness, AnErrorBehindASyntaxErrorIsFound) {
  expect(check(), "clear", 0);
  session.save("src/counter.c", replaced(racy, "int result = value;", "int result = value"));
  expect(check(), "error", 4);
  session.save("src/counter.c", racy);
  expect(check(), "findings", 1);
}

TEST_F(Robustness, AFindingStaysOpenUntilItIsRepaired) {
  expect(check(), "clear", 0);
  session.save("src/counter.c", racy);
  expect(check(), "findings", 1);
  session.save("src/counter.c", "// Counts.\n" + racy);
  expect(check(), "findings", 1);
}

TEST_F(Robustness, AKilledEngineIsReplaced) {
  expect(check(), "clear", 0);
  const Json before = status();
  ASSERT_FALSE(before.value("projects", Json::array()).empty()) << before.dump();
  const auto engine = before["projects"][0].value("enginePid", int64_t{0});
  ASSERT_GT(engine, 1);
  ASSERT_EQ(kill(static_cast<pid_t>(engine), SIGKILL), 0);
  session.save("src/counter.c", racy);
  expect(check(), "findings", 1);
}

TEST_F(Robustness, AKilledDaemonIsReplaced) {
  expect(check(), "clear", 0);
  const auto daemon = status().value("pid", int64_t{0});
  ASSERT_GT(daemon, 1);
  ASSERT_EQ(kill(static_cast<pid_t>(daemon), SIGKILL), 0);
  session.save("src/counter.c", racy);
  expect(check(), "findings", 1);
  session.save("src/counter.c", counter);
  expect(check(), "clear", 0);
}

TEST_F(Robustness, ALostLedgerCostsTimeOnly) {
  expect(check(), "clear", 0);
  session.run({"daemon", "stop"});
  std::filesystem::remove_all(session.root() / ".cache");
  expect(check(), "clear", 0);
}

TEST_F(Robustness, NoPlaceForTheCacheIsNoReasonToStop) {
  setenv("HEDDLE_CACHE_DIR", "/proc/no-such-folder", 1);
  session.save("src/counter.c", racy);
  const Answer answer = session.run({"check", "--no-daemon", "--format=jsonl", "src/counter.c"});
  unsetenv("HEDDLE_CACHE_DIR");
  expect(answer, "findings", 1);
}

TEST_F(Robustness, WrongUseIsSaidSo) {
  const Answer missing = session.run({"check", "--format=jsonl", "src/nowhere.c"});
  EXPECT_EQ(missing.exit_code, 2);
  EXPECT_NE(missing.errors.find("nowhere.c"), std::string::npos) << missing.errors;
  const Answer no_database = session.run({"check", "-p", "src", "--format=jsonl"});
  EXPECT_EQ(no_database.exit_code, 2);
  EXPECT_NE(no_database.errors.find("compile_commands.json"), std::string::npos) << no_database.errors;
  EXPECT_EQ(session.run({"check", "--no-such-option"}).exit_code, 2);
  EXPECT_EQ(session.run({"nonsense"}).exit_code, 2);
}

TEST_F(Robustness, AnUnreadableDatabaseIsSaidSo) {
  session.save("build/compile_commands.json", "[ {\"file\": ");
  const Answer answer = session.check({});
  EXPECT_TRUE(answer.exit_code == 2 || answer.exit_code == 4) << answer.exit_code;
  EXPECT_NE((answer.errors + answer.verdict().dump()).find("compile_commands.json"), std::string::npos);
}

TEST_F(Robustness, TheDaemonStopsWhenTold) {
  session.run({"daemon", "start"});
  const auto daemon = status().value("pid", int64_t{0});
  ASSERT_GT(daemon, 1);
  EXPECT_EQ(session.run({"daemon", "stop"}).exit_code, 0);
  for (int i = 0; i < 100 && kill(static_cast<pid_t>(daemon), 0) == 0; ++i) usleep(20'000);
  EXPECT_NE(kill(static_cast<pid_t>(daemon), 0), 0);
}

}  // namespace
