// `.heddle.yaml` says which programs are not checked, and how long a check may take.
#include "server/engine/settings/settings.h"
#include "tests/engine/harness.h"

namespace heddle::engine::test {
namespace {

using Texts = std::vector<std::string>;

std::variant<ProjectSettings, SettingsError> read(const std::string& yaml) {
  const std::string file = "/no/such/project/.heddle.yaml";
  return read_project_settings("/no/such/project",
                               [&](const std::string& path, uint64_t, std::string&) -> std::optional<std::string> {
                                 return path == file ? std::optional(yaml) : std::nullopt;
                               });
}
ProjectSettings good(const std::string& yaml) { return std::get<ProjectSettings>(read(yaml)); }
std::string bad(const std::string& yaml) {
  const auto result = read(yaml);
  const auto* error = std::get_if<SettingsError>(&result);
  return error ? error->text() : "accepted";
}

TEST(Reading, IgnoredPathsStandNextToTheSettings) {
  const std::vector<IgnoredPath> ignored = good("ignore: [third_party/, ./demo.c, \"examples/*_old.c\"]\n").ignored;
  ASSERT_EQ(ignored.size(), 3u);
  EXPECT_EQ(ignored[1].line, 1u);
  const auto covers = [&](const std::string& path) {
    return ignored_by(ignored, "/no/such/project/" + path) != nullptr;
  };
  EXPECT_TRUE(covers("third_party/a.c"));
  EXPECT_TRUE(covers("third_party/x/y/a.c"));
  EXPECT_TRUE(covers("demo.c"));
  EXPECT_TRUE(covers("examples/deep/queue_old.c"));
  EXPECT_FALSE(covers("third_party_more/a.c"));
  EXPECT_FALSE(covers("src/third_party/a.c"));
  EXPECT_FALSE(covers("src/demo.c"));
  EXPECT_FALSE(covers("examples/queue.c"));
  EXPECT_NE(bad("ignore: third_party\n").find("ignore"), std::string::npos);
  EXPECT_NE(bad("ignore: [\"\"]\n").find("a path of ignore is empty"), std::string::npos);
}

TEST(Reading, TimeLimitsAreSeconds) {
  Settings settings, otherwise;
  otherwise.apply(good(""));
  settings.apply(good("time-limits: {pairs: 0.5, all: 7s, background: 24h}\n"));
  EXPECT_EQ(settings.step1_seconds, 0.5);
  EXPECT_EQ(settings.step2_seconds, 7);
  EXPECT_EQ(settings.first_seconds, otherwise.first_seconds) << "not given";
  EXPECT_EQ(settings.background_seconds, 86400);
  EXPECT_EQ(settings.hash(), otherwise.hash()) << "what a run sees is the same: nothing is owed again";
  for (const char* wrong : {"0", "-1", "soon", "nan", "86401", "\"\"", "1d", "s", "25h"})
    EXPECT_NE(bad("time-limits:\n  first: " + std::string(wrong) + "\n").find(":2:10: the time limit first is"),
              std::string::npos)
        << wrong;
  EXPECT_NE(bad("time-limits: {save: 1}\n").find("unknown key 'save'"), std::string::npos);
}

class ChosenPrograms : public ::testing::Test {
 protected:
  Answer check(const std::string& text) {
    folder_.write("a.c", text);
    return engine_.check(folder_.file("a.c"));
  }
  ProjectFolder folder_;
  EngineProcess engine_;
};

TEST_F(ChosenPrograms, IgnoredProgramsAreLeftOutAndNamed) {
  const std::string racy =
      "#include <pthread.h>\nint n;\nvoid *f(void *a) { n++; return a; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); n++; return pthread_join(t, 0); }\n";
  for (const char* name : {"old.c", "demo.c", "own.c"}) folder_.write(name, racy);
  folder_.write_database({"old.c", "demo.c", "own.c"});
  folder_.write(".heddle.yaml", "ignore:\n  - demo.c\n  - ol*.c\n");
  v1::CheckRequest request;
  request.set_root(folder_.path());
  Answer answer = engine_.check(request);
  ASSERT_TRUE(answer.final_verdict());
  EXPECT_EQ(answer.rules(), Texts{"data-race"}) << "own.c is checked: " << answer.text();
  EXPECT_EQ(answer.final_verdict()->targets_size(), 1) << "an editor forgets the others";
  EXPECT_NE(answer.assumptions().find(".heddle.yaml:2 ignores them: demo"), std::string::npos) << answer.assumptions();
  EXPECT_NE(answer.assumptions().find(".heddle.yaml:3 ignores them: old"), std::string::npos) << answer.assumptions();
  // Of a file in ignored programs alone, nothing is said to be clear.
  answer = engine_.check(folder_.file("old.c"));
  EXPECT_EQ(answer.final_verdict()->error(), v1::ERROR_USAGE);
  EXPECT_NE(answer.final_verdict()->message().find(".heddle.yaml:"), std::string::npos) << answer.text();
  // Who names it wants it.
  request.set_target("demo");
  EXPECT_EQ(engine_.check(request).rules(), Texts{"data-race"});
  // All are ignored.
  request.clear_target();
  folder_.write(".heddle.yaml", "ignore: [\"*\"]\n");
  answer = engine_.check(request);
  EXPECT_EQ(answer.final_verdict()->error(), v1::ERROR_USAGE);
  EXPECT_NE(answer.final_verdict()->message().find("--target"), std::string::npos) << answer.text();
  // Without the setting all are checked again.
  folder_.write(".heddle.yaml", "");
  EXPECT_EQ(engine_.check(request).final_verdict()->targets_size(), 3);
}

// Nine threads that add different numbers to nine atomic objects: no limit below a minute is enough.
const char* kEndless =
    "#include <pthread.h>\n#include <stdatomic.h>\natomic_int n[9];\n"
    "void *f(void *a) { for (int i = 0; i < 9; i++) atomic_fetch_add(&n[i], (i + 1) * *(int *)a); return 0; }\n"
    "int main(void) { static int k[9]; pthread_t t[9];\n"
    "  for (int i = 0; i < 9; i++) { k[i] = 1 << i; pthread_create(&t[i], 0, f, &k[i]); }\n"
    "  for (int i = 0; i < 9; i++) pthread_join(t[i], 0);\n  return 0; }\n";

TEST_F(ChosenPrograms, ATimeLimitOfTheSettingsIsHitAndAHigherOneTriesAgain) {
  folder_.write(".heddle.yaml", "time-limits: {first: 0.2, pairs: 0.1, all: 0.1, background: 0.1}\n");
  Answer answer = check(kEndless);
  ASSERT_TRUE(answer.final_verdict());
  EXPECT_EQ(answer.final_verdict()->kind(), v1::VERDICT_INCONCLUSIVE) << answer.text();
  EXPECT_LT(answer.final_verdict()->stats().ms().total(), 30000) << "the default is a minute";
  const auto interleavings = [&] { return answer.final_verdict()->stats().executions(); };
  answer = check(kEndless);
  EXPECT_EQ(interleavings(), 0u) << "judged before: " << answer.text();
  folder_.write(".heddle.yaml", "time-limits: {first: 0.4, pairs: 0.1, all: 0.1, background: 0.1}\n");
  answer = check(kEndless);
  EXPECT_GT(interleavings(), 0u) << answer.text();
}

}  // namespace
}  // namespace heddle::engine::test
