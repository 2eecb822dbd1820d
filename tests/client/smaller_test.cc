// Which numbers of a text say how large the program is.
#include <gtest/gtest.h>

#include <string>

#include "client/smaller/bounds.h"

namespace heddle::client::smaller {
namespace {

// "WORKERS=4@1*" per bound: name, value, line, a star if it starts threads.
std::string words(const std::string& text) {
  std::string out;
  for (const Bound& bound : bounds_of(text))
    out += (out.empty() ? "" : ", ") + bound.name + "=" + std::to_string(bound.value) + "@" +
           std::to_string(bound.line) + (bound.starts_threads ? "*" : "");
  return out;
}

TEST(Bounds, MacrosConstantsAndEnumerators) {
  EXPECT_EQ(words("#define N 4  // many\nint main() { for (int i = 0; i < N; ++i) pthread_create(&t[i], 0, f, 0); }\n"),
            "N=4@1*");
  EXPECT_EQ(words("constexpr int kTasks = 8;\nvoid f() { for (int i = 0; i < kTasks; ++i) add(i); }\n"), "kTasks=8@1");
  EXPECT_EQ(words("static const unsigned rounds{5};\nvoid f() { for (unsigned i = 0; i != rounds; ++i) add(i); }\n"),
            "rounds=5@1");
  EXPECT_EQ(words("enum { kReaders = 3,\n  kOther = 9 };\nvoid f() { start(kReaders); }\n"), "kReaders=3@1");
}

TEST(Bounds, LoopsOfMacrosAndOfOtherFiles) {
  EXPECT_EQ(
      words("#define N 40\n#define START(f) \\\n  for (int i = 0; i < N; ++i) \\\n    pthread_create(&t[i], 0, f, "
            "0)\nint main() { START(work); }\n"),
      "N=40@1*");
  EXPECT_EQ(words("#define START for (int i = 0; i < 50; ++i) thrd_create(t + i, f, 0)\n"), "the loop to 50=50@1*");
  const std::string header = "#define SIZE 30\n#define WIDTH 80\nstatic const int kLength = 7;\n";
  const std::vector<LoopHead> heads = loop_heads_of(
      "int main() { for (int i = 0; i < SIZE; ++i) pthread_create(&t[i], 0, f, 0); for (i = kLength; i--;) g(WIDTH); "
      "}");
  EXPECT_EQ(words(header), "");
  const std::vector<Bound> bounds = bounds_of(header, heads);
  ASSERT_EQ(bounds.size(), 2u);
  EXPECT_EQ(bounds[0].name, "SIZE");
  EXPECT_TRUE(bounds[0].starts_threads);
  EXPECT_EQ(bounds[1].name, "kLength");
  EXPECT_FALSE(bounds[1].starts_threads);
}

TEST(Bounds, LoopsToOneNumberChangeTogether) {
  const std::string text =
      "int main() {\n  for (int i = 0; i < 6; i++) t[i] = std::thread(work);\n  for (int i = 0; i < 6; i++) "
      "t[i].join();\n"
      "  for (int i = 0; i < 2; i++) use(i);\n}\n";
  EXPECT_EQ(words(text), "the loops to 6=6@2*");
  EXPECT_EQ(bounds_of(text)[0].edits.size(), 2u);
}

TEST(Bounds, PoolsAndVectorsOfThreads) {
  EXPECT_EQ(words("void f() { ThreadPool pool(4); }\n"), "ThreadPool(4)=4@1*");
  EXPECT_EQ(words("void f() { std::vector<std::thread> all(5); }\n"), "std::vector<std::thread>(5)=5@1*");
  EXPECT_EQ(words("void f() { p = thpool_init(4); }\n"), "thpool_init(4)=4@1*");
}

TEST(Bounds, LargeNumbers) {
  EXPECT_EQ(words("const int kRounds = 10'000;\nvoid f() { for (int i = 0; i < kRounds; ++i) add(i); }\n"),
            "kRounds=10000@1");
  EXPECT_EQ(words("void f() { for (size_t i = 0; i < 10000000UL; ++i) add(i); }\n"), "the loop to 10000000=10000000@1");
  EXPECT_EQ(words("void f() { for (size_t i = 0; i < 99999999999; ++i) add(i); }\n"), "");
}

// A variable that is set once and that a loop runs to.
TEST(Bounds, Variables) {
  EXPECT_EQ(words("void f() { int n = 50; for (int i = 0; i < n; ++i) add(i); }\n"), "n=50@1");
  EXPECT_EQ(
      words("void f() {\n  std::size_t n{50};\n  while (i < n) ++i;\n}\nvoid g() { auto n = 60; while (n--) h(); }\n"),
      "n=50@2");
  EXPECT_EQ(words("void f() { int n = 50; while (n > 0) n -= 2; }\n"), "");
  EXPECT_EQ(words("void f() { for (int i = 50; i > 0; --i) add(i); }\n"), "");
}

TEST(Bounds, OfTestCases) {
  const std::string text =
      "TEST(Queue, Fills) {\n  for (int i = 0; i < 6; i++) add(i);\n}\nTEST_CASE(\"queue: empties/1\", \"[q]\") {\n"
      "  for (int i = 0; i < 6; i++) add(i);\n}\nBOOST_AUTO_TEST_CASE(drains) {\n  const int n = 7;\n"
      "  while (i < n) ++i;\n}\nint of_all() { for (int i = 0; i < 8; i++) add(i); }\n";
  const std::vector<Bound> bounds = bounds_of(text);
  const auto lines_of = [&](const std::string& test_case) {
    std::string out;
    for (const Bound& bound : bounds)
      if (concerns(bound, test_case)) out += (out.empty() ? "" : " ") + std::to_string(bound.line);
    return out;
  };
  EXPECT_EQ(lines_of(""), "2 5 8 11");
  EXPECT_EQ(lines_of("Queue.Fills"), "2 11");
  EXPECT_EQ(lines_of("queue: empties/1"), "5 11");
  EXPECT_EQ(lines_of("suite/drains"), "8 11");
  EXPECT_EQ(lines_of("Queue.Drops"), "11");
}

// What is small already, bounds nothing, or stands in a comment or a string.
TEST(Bounds, OtherNumbersAreNone) {
  EXPECT_EQ(words("#define SIZE 64\nchar buffer[SIZE];\n"), "");
  EXPECT_EQ(words("#define WORKERS 2\nint main() { for (int i = 0; i < WORKERS; ++i) start(); }\n"), "");
  EXPECT_EQ(words("// for (int i = 0; i < 8; ++i)\nconst char* t = \"ThreadPool pool(4)\";\n"), "");
  EXPECT_EQ(words("const int kMagic = 77;\nint f(int x) { return x == kMagic; }\n"), "");
}

}  // namespace
}  // namespace heddle::client::smaller
