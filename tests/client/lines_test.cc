// Lines of two texts, as git pairs them; suppressions that only the newer text has.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>

#include "client/git/git.h"
#include "client/report/suppression_text.h"
#include "server/text/ignore_comment.h"
#include "server/text/lines.h"

namespace heddle::client {
namespace {

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

class Lines : public ::testing::Test {
 protected:
  Lines() : folder_(std::filesystem::temp_directory_path() / ("heddle-lines-" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
    setenv("GIT_CONFIG_GLOBAL", "/dev/null", 1);  // the user's may choose another algorithm
    setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
    for (const char* name : {"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"}) unsetenv(name);  // in a hook
  }
  ~Lines() override { std::filesystem::remove_all(folder_); }

  LineMap map(const std::string& older, const std::string& newer) {
    std::ofstream(folder_ / "a") << older;
    std::ofstream(folder_ / "b") << newer;
    return LineMap(run_git(folder_.string(), {"diff", "--no-index", "-U0", "a", "b"}).out);
  }

  std::string merged(const std::string& older, const std::string& newer) {
    return with_suppressions_of(newer, older, map(older, newer));
  }

  const std::filesystem::path folder_;
};

// Every line is one of its own, so that there is one right answer: it is where its text is.
TEST_F(Lines, AreWhereTheirTextIs) {
  std::mt19937 random(20261122);
  for (int round = 0; round < 20; ++round) {
    std::vector<std::string> before, after;
    int next = 0;
    for (int i = 0; i < 30; ++i) before.push_back("line " + std::to_string(next++));
    for (const std::string& line : before) {
      const unsigned kind = random() % 8;
      if (kind == 0) continue;
      after.push_back(kind == 1 ? "other " + std::to_string(next++) : line);
      if (kind == 2) after.push_back("more " + std::to_string(next++));
    }
    const LineMap lines = map(joined(before), joined(after));
    const auto where = [](const std::vector<std::string>& in, const std::string& text) -> std::optional<uint32_t> {
      const auto found = std::find(in.begin(), in.end(), text);
      if (found == in.end()) return std::nullopt;
      return static_cast<uint32_t>(found - in.begin()) + 1;
    };
    for (uint32_t n = 1; n <= before.size(); ++n)
      EXPECT_EQ(lines.new_of(n), where(after, before[n - 1])) << "round " << round;
    for (uint32_t n = 1; n <= after.size(); ++n)
      EXPECT_EQ(lines.old_of(n), where(before, after[n - 1])) << "round " << round;
  }
}

// Whatever a repository's configuration says of diffs.
TEST_F(Lines, AreThoseOfTheRepositoryWhateverItsConfiguration) {
  const std::string folder = folder_.string();
  std::ofstream(folder_ / "a") << "1\n2\n3\n4\n5\n";
  run_git(folder, {"init", "-q"});
  run_git(folder, {"add", "a"});
  const GitAnswer commit =
      run_git(folder, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "a"});
  ASSERT_EQ(commit.code, 0) << commit.error;
  std::ofstream(folder_ / "a") << "1\nnew\n2\n3\nother\n5\n";
  for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{{"diff.interHunkContext", "9"},
                                                                                    {"diff.context", "9"},
                                                                                    {"color.diff", "always"},
                                                                                    {"diff.noprefix", "true"},
                                                                                    {"diff.external", "false"},
                                                                                    {"core.fsmonitor", "false %"},
                                                                                    {"diff.renames", "copies"}}) {
    run_git(folder, {"config", name, value});
    const auto tree = GitTree::at(folder);
    ASSERT_TRUE(std::holds_alternative<GitTree>(tree)) << name;
    const LineMap lines = std::get<GitTree>(tree).lines("HEAD", "a");
    EXPECT_EQ(lines.old_of(1), 1u) << name;
    EXPECT_EQ(lines.old_of(2), std::nullopt) << name;
    EXPECT_EQ(lines.old_of(4), 3u) << name;
    EXPECT_EQ(lines.replaced_by(5), 4u) << name;
    EXPECT_EQ(lines.old_of(6), 5u) << name;
    run_git(folder, {"config", "--unset", name});
  }
}

TEST_F(Lines, SuppressionsGoToTheStatementsTheyCover) {
  const std::string older = "int a;\nint b;\nint c;";
  EXPECT_EQ(merged(older, older), older);
  EXPECT_EQ(merged(older, "int a;\n// heddle: ignore[x] y\n// words\nint b;\nint new;\nint c;"),
            "int a;\n// heddle: ignore[x] y\nint b;\nint c;");
  EXPECT_EQ(merged(older, "int new;\nint a;\nint b; // heddle: ignore[x] y\nint c;"),
            "int a;\nint b; // heddle: ignore[x] y\nint c;");
  EXPECT_EQ(merged(older, "int a;\n// heddle: ignore[x] y\nint other;\nint c;"), older);
  EXPECT_EQ(merged(older, "int a;\nint other; // heddle: ignore[x] y\nint c;"), older);
  EXPECT_EQ(merged(older, "int a;\nint b;\nint c;\n// heddle: ignore[x] at the end\n"), older);
  EXPECT_EQ(merged("// heddle: ignore[x] y\n" + older, "int a;"), "// heddle: ignore[x] y\n" + older);
  EXPECT_EQ(merged("int a;\n*p = 1;\nint c;", "int a;\n// heddle: ignore[x] y\n*p = 1;\nint c;"),
            "int a;\n// heddle: ignore[x] y\n*p = 1;\nint c;");
}

TEST(Git, SaysWhyItDoesNotRun) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  for (const rlim_t limit : {rlim_t{0}, rlim_t{4}, rlim_t{5}}) {  // no pipe, or one
    const rlimit few{limit, before.rlim_max};
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    const auto tree = GitTree::at("/");
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    const auto* failure = std::get_if<Failure>(&tree);
    ASSERT_TRUE(failure);
    EXPECT_EQ(failure->message, "git cannot be started: Too many open files");
    EXPECT_EQ(failure->remedy, "see `ulimit -n`");
  }
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/no/such/folder", 1);
  const auto tree = GitTree::at("/");
  setenv("PATH", path.c_str(), 1);
  const auto* failure = std::get_if<Failure>(&tree);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->message, "git cannot be started: No such file or directory");
  EXPECT_EQ(failure->remedy, "install git");
}

// One letter a line: c for code, - for none.
std::string kinds(const std::string& text) {
  std::string out;
  for (const bool without : text::lines_without_code(text::lines_with_ends(text))) out += without ? '-' : 'c';
  return out;
}

TEST(Comments, AreToldFromCode) {
  EXPECT_EQ(kinds("// a\n\n  /* b */\nint c;  // d\n#endif\n"), "---cc");
  EXPECT_EQ(kinds("*p = 1;\n*q++ = *p;  // a\n"), "cc");
  EXPECT_EQ(kinds("/* a\n * b\n *p = 1;\n c */\n*p = 1;\n"), "----c");
  EXPECT_EQ(kinds("/* a */ b();\n/* c */ /* d */ // e\n"), "c-");
  EXPECT_EQ(kinds("f();  /* a\nb */ g();\n*/ *p = 1;\n"), "ccc");
  EXPECT_EQ(kinds("s = \"/*\";\n*p = 1;\n// a\n"), "cc-");
  EXPECT_EQ(kinds("s = \"\\\"/*\";\n// a\nc = '\"'; d = '\\'';\n// b\n"), "c-c-");
  EXPECT_EQ(kinds("n = 1'000; /* a\nb */\n"), "c-");
  EXPECT_EQ(kinds("s = R\"x(/*\n// a\n)\" )x\";\n// b\n"), "ccc-");
  EXPECT_EQ(kinds("// a \\\nf();\ng();\n"), "--c");
  EXPECT_EQ(kinds("#error don't\n// a\n"), "c-");
}

TEST(Comments, CoverTheNextLineWithCode) {
  const auto covered = [](const std::string& text, size_t n) {
    return text::covered_line(text::lines_without_code(text::lines_with_ends(text)), n);
  };
  EXPECT_EQ(covered("// a\n\n// b\n*p = 1;\nq = 2;\n", 0), 3u);
  EXPECT_EQ(covered("*p = 1;  // a\nq = 2;\n", 0), 0u);
  EXPECT_EQ(covered("// a\n", 0), 1u);
}

}  // namespace
}  // namespace heddle::client
