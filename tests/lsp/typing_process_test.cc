// The parsing process: the same meanings, limits, what ends it, and that it changes no file.
#include "server/frontend/typing/typing_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

const std::string kText = "#include <stdlib.h>\nint x;\nvoid f(void) { int y = rand(); x = y; }\n";

class TypingProcessTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "heddle-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    path_ = folder_ + "/a.cc";
    std::ofstream(path_) << kText;
    std::ofstream(folder_ + "/victim") << "as it was";
    command({});
  }
  void TearDown() override { fs::remove_all(folder_); }

  void command(const std::vector<std::string>& flags) {
    std::ofstream out(folder_ + "/compile_commands.json");
    out << "[{\"directory\": \"" << folder_ << "\", \"file\": \"a.cc\", \"arguments\": [\"clang\"";
    for (const std::string& flag : flags) out << ", \"" << flag << '"';
    out << ", \"-c\", \"a.cc\"]}]";
  }
  // What is in the folder, and what the victim holds.
  std::vector<std::string> seen() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) out.push_back(entry.path());
    std::sort(out.begin(), out.end());
    std::ifstream victim(folder_ + "/victim");
    out.emplace_back(std::istreambuf_iterator<char>(victim), std::istreambuf_iterator<char>());
    return out;
  }
  Meaning ask(TypingProcess& process, const std::string& text) { return process.meaning(path_, {{path_, text}}); }

  std::string folder_, path_;
};

std::string bomb(int n) {
  return "constexpr long f(long n) { return n < 2 ? 1 : f(n - 1) + f(n - 2); }\nconstexpr long x = f(" +
         std::to_string(n) + ");\n";
}

TEST_F(TypingProcessTest, GivesTheMeaningsOfTyping) {
  TypingProcess process(folder_);
  Typing here(folder_);
  const Meaning meaning = ask(process, kText), expected = here.meaning(path_, {{path_, kText}});
  EXPECT_FALSE(meaning.hash.empty());
  EXPECT_EQ(meaning.hash, expected.hash);
  ASSERT_EQ(meaning.functions.size(), 1u);
  EXPECT_EQ(meaning.functions[0].name, "f");
  EXPECT_EQ(meaning.functions[0].line, 3u);
  const pid_t first = process.process();
  EXPECT_EQ(ask(process, kText + "// said\n").hash, meaning.hash);
  EXPECT_NE(ask(process, kText + "int z;\n").hash, meaning.hash);
  EXPECT_TRUE(ask(process, kText + "int int;\n").hash.empty());
  EXPECT_EQ(process.process(), first);
}

TEST_F(TypingProcessTest, WhatDoesNotEndIsAskedAgainWhenItsTextChanges) {
  command({"-fconstexpr-steps=4000000000"});
  TypingProcess process(folder_, {.seconds = 1});
  EXPECT_TRUE(ask(process, bomb(80)).hash.empty());
  EXPECT_EQ(process.process(), 0);
  const auto begin = Clock::now();
  EXPECT_TRUE(ask(process, bomb(80)).hash.empty());
  EXPECT_LT(Clock::now() - begin, std::chrono::milliseconds(500));
  EXPECT_EQ(process.process(), 0);
  EXPECT_FALSE(ask(process, bomb(8)).hash.empty());
}

TEST_F(TypingProcessTest, MemoryIsLimited) {
  TypingProcess process(folder_, {.seconds = 60, .memory_bytes = uint64_t{192} << 20});
  const std::string text =
      "template <int n, int m> struct s { static const int v = s<n - 1, m * 2>::v + s<n - 1, m * 2 + 1>::v; };\n"
      "template <int m> struct s<0, m> { static const int v = 1; };\nint x = s<24, 0>::v;\n";
  const auto begin = Clock::now();
  EXPECT_TRUE(ask(process, text).hash.empty());
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(50));
  EXPECT_FALSE(ask(process, kText).hash.empty());
}

TEST_F(TypingProcessTest, AnotherTakesOverFromOneThatWasKilled) {
  TypingProcess process(folder_);
  const Meaning meaning = ask(process, kText);
  ASSERT_GT(process.process(), 0);
  ::kill(process.process(), SIGKILL);
  EXPECT_TRUE(ask(process, kText + "\n").hash.empty());
  EXPECT_EQ(ask(process, kText).hash, meaning.hash);
}

TEST_F(TypingProcessTest, AnInterruptEndsTheQuestion) {
  command({"-fconstexpr-steps=4000000000"});
  TypingProcess process(folder_, {.seconds = 60});
  std::thread soon([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    process.interrupt();
  });
  const auto begin = Clock::now();
  EXPECT_TRUE(ask(process, bomb(80)).hash.empty());
  EXPECT_LT(Clock::now() - begin, std::chrono::seconds(20));
  soon.join();
  EXPECT_TRUE(ask(process, kText).hash.empty());
}

TEST_F(TypingProcessTest, ATextThatIsTooLargeIsNotParsed) {
  TypingProcess process(folder_);
  EXPECT_TRUE(ask(process, std::string(size_t{9} << 20, ' ')).hash.empty());
  EXPECT_EQ(process.process(), 0);
}

TEST_F(TypingProcessTest, NoFlagWritesAFile) {
  std::ofstream(folder_ + "/x.cfg") << "-MD -MF " << folder_ << "/victim\n";
  const std::string victim = folder_ + "/victim";
  const std::vector<std::vector<std::string>> commands = {
      {"-Wp,-dependency-file," + victim + ",-MT,x"},
      {"-MD", "-MF", victim},
      {"-Xclang", "-dependency-file", "-Xclang", victim, "-Xclang", "-MT", "-Xclang", "x"},
      {"--config=" + folder_ + "/x.cfg"},
      {"@" + folder_ + "/x.cfg"},
      {"-serialize-diagnostics", victim},
      {"--serialize-diagnostics", victim},
      {"-fmodules", "-fmodules-cache-path=" + folder_ + "/made"},
      {"-Xclang", "-header-include-file", "-Xclang", victim, "-H"}};
  for (const auto& flags : commands) {
    command(flags);
    const auto before = seen();
    TypingProcess process(folder_);
    ask(process, kText);
    ask(process, kText + "int z;\n");
    EXPECT_EQ(seen(), before) << flags[0];
  }
}

}  // namespace
}  // namespace heddle::frontend
