// The compiler in a process of its own: the same units, limits, and what ends it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <utility>

#include "server/base/reading_sandbox.h"
#include "server/engine/project/compile_process.h"
#include "server/engine/project/compile_wire.h"
#include "server/engine/project/units.h"
#include "server/program/hash.h"
#include "server/program/serialise.h"

namespace heddle::engine {
namespace {

namespace fs = std::filesystem;

class CompileProcessTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { ::signal(SIGPIPE, SIG_IGN); }  // as the engine does
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "heddle-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  frontend::CompileJob job(const std::string& name, const std::string& text, std::vector<std::string> flags = {}) {
    const std::string file = folder_ + "/" + name;
    std::ofstream(file) << text;
    flags.insert(flags.begin(), "cc");
    flags.push_back(file);
    return {{file, folder_, std::move(flags)}, {}};
  }
  static std::string message(const std::optional<frontend::CompileResult>& result) {
    return !result || result->diagnostics.empty() ? "" : result->diagnostics.back().message;
  }
  static constexpr auto kAll = [](size_t) { return true; };
  std::string folder_;
};

const char* const kBomb =
    "constexpr long f(long n) { return n < 2 ? 1 : f(n - 1) + f(n - 2); }\nconstexpr long x = f(80);\n";

TEST_F(CompileProcessTest, GivesWhatTheCompilerGives) {
  const auto one = job("a.c", "#include <stdio.h>\nint f(int x) { return x + 1; }\n");
  const auto bad = job("b.c", "int f(int x) { return y; }\n");
  frontend::Compiler here;
  CompileProcess there;
  const auto expected = here.compile(one.command, {});
  const auto results = there.compile_all({one, bad}, 2, kAll);
  ASSERT_TRUE(results[0] && results[0]->unit && results[1]);
  EXPECT_EQ(program::write_unit(*results[0]->unit), program::write_unit(*expected.unit));
  ASSERT_EQ(results[0]->dependencies.size(), expected.dependencies.size());
  for (size_t n = 0; n < expected.dependencies.size(); ++n) {
    EXPECT_EQ(results[0]->dependencies[n].path, expected.dependencies[n].path);
    EXPECT_EQ(results[0]->dependencies[n].content, expected.dependencies[n].content);
  }
  EXPECT_FALSE(results[1]->unit);
  EXPECT_NE(message(results[1]).find("undeclared identifier 'y'"), std::string::npos) << message(results[1]);
}

TEST_F(CompileProcessTest, OneThatDoesNotEndIsAnErrorAndTheOthersAreCompiled) {
  for (const uint32_t at_once : {1u, 2u}) {
    CompileProcess process({.seconds = 1});
    const auto begin = std::chrono::steady_clock::now();
    const auto results = process.compile_all(
        {job("a.c", "int a;\n"), job("b.cc", kBomb, {"-fconstexpr-steps=4000000000"}), job("c.c", "int c;\n")}, at_once,
        kAll);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
    EXPECT_TRUE(results[0] && results[0]->unit);
    EXPECT_NE(message(results[1]).find("takes more than 1 s"), std::string::npos) << message(results[1]);
    EXPECT_TRUE(results[2] && results[2]->unit);
  }
}

TEST_F(CompileProcessTest, AfterThreeThatDoNotEndTheOthersAreLeft) {
  CompileProcess process({.seconds = 0.3});
  std::vector<frontend::CompileJob> jobs;
  for (int n = 0; n < 5; ++n)
    jobs.push_back(job("b" + std::to_string(n) + ".cc", kBomb, {"-fconstexpr-steps=4000000000"}));
  const auto results = process.compile_all(jobs, 1, kAll);
  EXPECT_NE(message(results[2]).find("takes more"), std::string::npos);
  EXPECT_NE(message(results[3]).find("not compiled, after 3 other files"), std::string::npos) << message(results[3]);
  // It says nothing of its text, so it is not kept for it.
  EXPECT_TRUE(results[3]->lost);
  EXPECT_FALSE(results[2]->lost);
  EXPECT_TRUE(process.compile(job("a.c", "int a;\n").command, {}).unit);
}

TEST_F(CompileProcessTest, WhatEndsTheProcessIsBlamedAlone) {
  std::string deep = "int x; int f(void) { return x";
  for (int n = 0; n < 2000000; ++n) deep += "+x";
  CompileProcess process({.seconds = 60});
  const auto results =
      process.compile_all({job("a.c", "int a;\n"), job("b.c", deep + "; }\n"), job("c.c", "int c;\n")}, 2, kAll);
  EXPECT_TRUE(results[0] && results[0]->unit);
  EXPECT_TRUE(results[1] && (results[1]->unit || !message(results[1]).empty()));
  EXPECT_TRUE(results[2] && results[2]->unit);
}

TEST_F(CompileProcessTest, AKilledOneIsStartedAgain) {
  CompileProcess process;
  const auto one = job("a.c", "int a;\n");
  EXPECT_TRUE(process.compile(one.command, {}).unit);
  ::kill(process.process(), SIGKILL);
  EXPECT_TRUE(process.compile(one.command, {}).unit);
  // While it compiles: by whoever asks whether it may begin.
  int kills = 0;
  const auto results = process.compile_all({job("b.c", "int b;\n")}, 1, [&](size_t) {
    if (++kills < 3) ::kill(process.process(), SIGKILL);
    return true;
  });
  EXPECT_TRUE(results[0] && results[0]->unit) << message(results[0]);
}

// Without the library's module every program of the project would call unknown functions from then on.
TEST_F(CompileProcessTest, ALibraryModuleThatWasLostIsTriedAgain) {
  ::setenv("HEDDLE_COMPILE_SECONDS", "0.3", 1);
  ::setenv("HEDDLE_LIBRARY_CACHE", (folder_ + "/library").c_str(), 1);
  CacheFolder cache(folder_ + "/cache");
  Ledger ledger(folder_ + "/cache");
  UnitStore units(cache, ledger);
  ::unsetenv("HEDDLE_COMPILE_SECONDS");
  FileStates files;
  files.begin_check({});
  int compiles = 0;
  const auto compile_twice = [&](const std::string& name, const std::string& text, std::vector<std::string> flags) {
    frontend::CompileJob made = job(name, text, std::move(flags));
    for (int n = 0; n < 2; ++n)
      EXPECT_FALSE(units.support({made.command, {made.command.file, text}}, files, [&](const auto&) { ++compiles; }));
    return std::exchange(compiles, 0);
  };
  EXPECT_EQ(compile_twice("bomb.cc", kBomb, {"-fconstexpr-steps=4000000000"}), 2);
  EXPECT_EQ(compile_twice("wrong.cc", "#include <stddef.h>\nint x = y;\n", {}), 1);
}

// A crash may be that of what files share. Errors of the text are its own.
TEST_F(CompileProcessTest, ACrashIsNotKeptForTheText) {
  CacheFolder cache(folder_ + "/cache");
  Ledger ledger(folder_ + "/cache");
  UnitStore units(cache, ledger);
  FileStates files;
  files.begin_check({});
  const auto compiles = [&](const std::string& name, const std::string& text) {
    int count = 0;
    const frontend::CompileJob made = job(name, text);
    for (int n = 0; n < 2; ++n)
      EXPECT_TRUE(units.get({made.command}, files, [&](const auto&) { ++count; }, [] { return false; }));
    return count;
  };
  EXPECT_EQ(compiles("crash.c", "#pragma clang __debug crash\n"), 3);  // the second time in a new process, too
  EXPECT_EQ(compiles("wrong.c", "int x = y;\n"), 1);
}

// It may have found too little memory.
TEST_F(CompileProcessTest, ACrashNextToOthersIsTriedOnceInANewProcess) {
  CompileProcess process;
  std::map<size_t, std::set<pid_t>> processes;
  const auto results = process.compile_all(
      {job("a.c", "int a;\n"), job("crash.c", "#pragma clang __debug crash\n"), job("b.c", "int b;\n")}, 2,
      [&](size_t n) {
        processes[n].insert(process.process());
        return true;
      });
  EXPECT_EQ(processes[0].size(), 1u);
  EXPECT_EQ(processes[1].size(), 2u);
  EXPECT_EQ(processes[2].size(), 1u);
  EXPECT_TRUE(results[0]->unit && results[2]->unit);
  EXPECT_TRUE(results[1]->lost);
  EXPECT_NE(message(results[1]).find("the compiler crashed on this file"), std::string::npos);
}

TEST_F(CompileProcessTest, MayBeToldNotToBegin) {
  CompileProcess process;
  const auto results =
      process.compile_all({job("a.c", "int a;\n"), job("b.c", "int b;\n")}, 1, [](size_t n) { return n == 0; });
  EXPECT_TRUE(results[0]);
  EXPECT_FALSE(results[1]);
}

TEST_F(CompileProcessTest, UnitsThatStayAreTheSameObject) {
  CompileProcess process;
  const auto one = job("a.c", "#include \"h.h\"\nint f(void) { return g(); }\n");
  std::ofstream(folder_ + "/h.h") << "static int g(void) { return 1; }\n";
  const auto first = process.compile(one.command, {});
  process.prepare();
  const auto second =
      process.compile(one.command, {{one.command.file, "#include \"h.h\"\nint f(void) { return 7; }\n"}});
  process.prepare();
  process.rest();
  const auto third = process.compile(one.command, {});
  ASSERT_TRUE(first.unit && second.unit && third.unit);
  EXPECT_NE(first.unit->content, second.unit->content);
  EXPECT_EQ(first.unit->content, third.unit->content);
}

// In a child, which leaves with the number of attempts that were not refused.
TEST_F(CompileProcessTest, TheSandboxReadsAndNothingElse) {
  const std::string file = folder_ + "/victim";
  std::ofstream(file) << "as it was";
  const pid_t pid = ::fork();
  if (pid == 0) {
    if (!base::enter_reading_sandbox(uint64_t{1} << 30).empty()) ::_exit(100);
    int done = 0;
    const auto attempt = [&](long result) { done += result >= 0; };
    attempt(::open(file.c_str(), O_WRONLY));
    attempt(::open(file.c_str(), O_RDWR));
    attempt(::open(file.c_str(), O_RDONLY | O_TRUNC));
    attempt(::open((file + "2").c_str(), O_RDONLY | O_CREAT, 0600));
    attempt(::open(folder_.c_str(), O_TMPFILE | O_RDWR, 0600));
    attempt(::creat((file + "3").c_str(), 0600));
    attempt(::unlink(file.c_str()));
    attempt(::rename(file.c_str(), (file + "4").c_str()));
    attempt(::link(file.c_str(), (file + "5").c_str()));
    attempt(::symlink(file.c_str(), (file + "6").c_str()));
    attempt(::mkdir((file + "7").c_str(), 0700));
    attempt(::truncate(file.c_str(), 0));
    attempt(::chmod(file.c_str(), 0777));
    attempt(::socket(AF_INET, SOCK_STREAM, 0));
    attempt(::socket(AF_UNIX, SOCK_STREAM, 0));
    attempt(::kill(::getppid(), 0));
    attempt(::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr));
    attempt(::fork());
    attempt(::syscall(SYS_clone3, nullptr, 0));
    attempt(::execl("/bin/true", "true", nullptr));
    attempt(::memfd_create("x", 0));
    attempt(::chdir("/"));
    if (::open(file.c_str(), O_RDONLY) < 0) done += 200;
    ::_exit(done);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(fs::file_size(file), 9u);
}

TEST(CompileWire, DamagedBytesAreNoResult) {
  frontend::CompileResult result;
  result.diagnostics.push_back({frontend::Severity::Warning, "a.c", 3, 4, "text"});
  result.dependencies.push_back({"h.h", program::hash_bytes("x"), true});
  base::WireWriter out;
  write_result(out, result, false);
  const std::string bytes = out.take();
  base::WireReader good(bytes);
  const auto read = read_result(good, nullptr);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->diagnostics[0].message, "text");
  EXPECT_EQ(read->dependencies[0].content, program::hash_bytes("x"));
  for (size_t cut = 0; cut < bytes.size(); ++cut) {
    base::WireReader part(std::string_view(bytes).substr(0, cut));
    EXPECT_FALSE(read_result(part, nullptr)) << cut;
  }
  std::string damaged = bytes;
  for (char& byte : damaged) {
    const char was = std::exchange(byte, '\xff');
    base::WireReader in(damaged);
    (void)read_result(in, nullptr);
    byte = was;
  }
}

}  // namespace
}  // namespace heddle::engine
