// The compiler as a service: diagnostics, preambles, overlays, dependencies, memory.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include "server/program/print.h"
#include "tests/frontend/compiler.h"
#include "tests/frontend/same_unit.h"

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;

class CompilerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = fs::path(::testing::TempDir()) / ("heddle_compiler_" + std::to_string(::getpid()));
    fs::create_directories(directory_);
  }
  void TearDown() override { fs::remove_all(directory_); }
  std::string write(const std::string& name, const std::string& text) {
    const fs::path path = directory_ / name;
    std::ofstream(path) << text;
    return path.string();
  }
  fs::path directory_;
  Compiler compiler_;
};

TEST_F(CompilerTest, ErrorsComeWithPlacesAndWithoutUnit) {
  const std::string file = write("a.c", "int f(void) { return 1 }\nint g(void) { return undeclared; }\n");
  ::testing::internal::CaptureStderr();
  const CompileResult result = compiler_.compile(command_for(file), {});
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_FALSE(result.unit);
  ASSERT_GE(result.diagnostics.size(), 2u);
  EXPECT_EQ(result.diagnostics[0].severity, Severity::Error);
  EXPECT_EQ(result.diagnostics[0].path, file);
  EXPECT_EQ(result.diagnostics[0].line, 1u);
  EXPECT_EQ(result.diagnostics[0].column, 23u);
}

TEST_F(CompilerTest, WarningsStopNothing) {
  const std::string file = write("a.c", "#include <stdio.h>\nint f(void) { int x; int *p = 4; return *p; }\n");
  ::testing::internal::CaptureStderr();
  const CompileResult result =
      compiler_.compile(command_for(file, {"-Wall", "-Werror", "-Wno-int-conversion", "-fonly-gcc-knows"}), {});
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_TRUE(result.unit);
  EXPECT_TRUE(std::any_of(result.diagnostics.begin(), result.diagnostics.end(),
                          [](const auto& d) { return d.message.find("unused variable") != std::string::npos; }));
}

TEST_F(CompilerTest, MissingFileAndMissingHeader) {
  EXPECT_FALSE(compiler_.compile(command_for((directory_ / "none.c").string()), {}).unit);
  const std::string file = write("a.c", "#include <stdio.h>\n#include \"none.h\"\nint x;\n");
  const CompileResult result = compiler_.compile(command_for(file), {});
  EXPECT_FALSE(result.unit);
  ASSERT_FALSE(result.diagnostics.empty());
  EXPECT_EQ(result.diagnostics[0].line, 2u);
  write("none.h", "int y;\n");
  EXPECT_TRUE(compiler_.compile(command_for(file), {}).unit);
}

TEST_F(CompilerTest, PreambleIsReusedUntilItChanges) {
  write("a.h", "#define VALUE 1\n");
  const std::string text = "#include <stdio.h>\n#include \"a.h\"\nint f(void) { return VALUE; }\n";
  const std::string file = write("a.c", text);
  const CompileResult first = compiler_.compile(command_for(file), {});
  EXPECT_TRUE(first.preamble_built);
  const CompileResult second = compiler_.compile(command_for(file), {{file, text + "int g;\n"}});
  EXPECT_FALSE(second.preamble_built);
  ASSERT_TRUE(first.unit && second.unit);
  EXPECT_EQ(function_of(*first.unit, "f").hash, function_of(*second.unit, "f").hash);
  EXPECT_EQ(second.unit->globals.size(), 1u);
  // A header changed within the same second, with the same size.
  write("a.h", "#define VALUE 2\n");
  const CompileResult third = compiler_.compile(command_for(file), {});
  EXPECT_TRUE(third.preamble_built);
  EXPECT_NE(function_of(*first.unit, "f").hash, function_of(*third.unit, "f").hash);
  // A header that is being edited.
  const CompileResult fourth =
      compiler_.compile(command_for(file), {{(directory_ / "a.h").string(), "#define VALUE 1\n"}});
  EXPECT_TRUE(fourth.preamble_built);
  EXPECT_EQ(function_of(*first.unit, "f").hash, function_of(*fourth.unit, "f").hash);
  const CompileResult fifth =
      compiler_.compile(command_for(file), {{(directory_ / "a.h").string(), "#define VALUE 3\n"}});
  EXPECT_NE(function_of(*first.unit, "f").hash, function_of(*fifth.unit, "f").hash);
  // Other flags.
  EXPECT_TRUE(compiler_.compile(command_for(file, {"-DX"}), {}).preamble_built);
  EXPECT_NE(compiler_.compile(command_for(file, {"-DX"}), {}).unit->flags, first.unit->flags);
}

TEST_F(CompilerTest, WhereNoEditsAreExpectedTheSecondCompileBuildsThePreamble) {
  CompileOptions options;
  options.expects_edits = false;
  Compiler compiler(options);
  const std::string file = write("a.c", "#include <stdio.h>\nint x;\n");
  std::vector<bool> built;
  for (int n = 0; n < 3; ++n) built.push_back(compiler.compile(command_for(file), {}).preamble_built);
  EXPECT_EQ(built, std::vector<bool>({false, true, false}));
}

bool is_on_preamble(const CompileResult& result) {
  return std::any_of(result.tiers.begin(), result.tiers.end(),
                     [](const TierNote& note) { return note.tier == Tier::Preamble && note.why_not.empty(); });
}

TEST_F(CompilerTest, WhatMayBeSavedNextHasItsPreambleBeforeItsFirstCompile) {
  const std::string text = "#include <stdio.h>\nint f(void) { return 1; }\n", file = write("next.c", text);
  const CompileJob coming{command_for(file), {}};
  Compiler compiler;
  compiler.prepare([] { return true; }, {}, {coming});  // a save comes first
  EXPECT_TRUE(compiler.compile(command_for(file), {}).preamble_built);
  Compiler other;
  other.prepare([] { return false; }, {}, {coming, {command_for((directory_ / "none.c").string()), {}}});
  const CompileResult saved = other.compile(command_for(file), {{file, text + "int g;\n"}});
  EXPECT_FALSE(saved.preamble_built);
  EXPECT_TRUE(is_on_preamble(saved));
  ASSERT_TRUE(saved.unit);
  EXPECT_EQ(saved.unit->globals.size(), 1u);
  EXPECT_FALSE(other.compile(command_for((directory_ / "none.c").string()), {}).unit);
}

TEST_F(CompilerTest, PreamblesOfManyNewFilesAreBuiltBetweenCompiles) {
  for (const size_t count : {4u, 5u}) {
    Compiler compiler;
    std::vector<CompileJob> jobs;
    for (size_t n = 0; n < count; ++n)
      jobs.push_back(
          {command_for(write("many" + std::to_string(n) + ".c", "#include <stdio.h>\nint f(void) { return 1; }\n")),
           {}});
    const auto built = [&] {
      size_t found = 0;
      for (const auto& result : compiler.compile_all(jobs, 2, [](size_t) { return true; }))
        found += result->preamble_built ? 1 : 0;
      return found;
    };
    EXPECT_EQ(built(), count == 4 ? 4u : 0u);
    std::atomic<int> asked{0};
    compiler.prepare([&] { return ++asked > 2; });  // two files of the many, or none
    compiler.prepare([] { return false; });
    EXPECT_EQ(built(), 0u) << count;
    const CompileResult edited =
        compiler.compile(jobs[0].command, {{jobs[0].command.file, "#include <stdio.h>\nint f(void) { return 2; }\n"}});
    ASSERT_TRUE(edited.unit);
    EXPECT_TRUE(is_on_preamble(edited));
  }
}

// There is room for few.
TEST_F(CompilerTest, ThePreambleOfTheEditedFileIsBuiltFirst) {
  constexpr size_t kFiles = 8;
  ::setenv("HEDDLE_PREAMBLE_MEMORY_MB", "1", 1);
  std::vector<CompileJob> jobs;
  for (size_t n = 0; n < kFiles; ++n)
    jobs.push_back({command_for(write("first" + std::to_string(n) + ".c", "#include <stdio.h>\nint x;\n")), {}});
  for (const size_t edited : {size_t{0}, kFiles - 1}) {
    Compiler compiler;
    compiler.compile_all(jobs, 2, [](size_t) { return true; });
    compiler.prepare([] { return false; }, {jobs[edited].command.file});
    const CompileJob& job = jobs[edited];
    const CompileResult result = compiler.compile(job.command, {{job.command.file, "#include <stdio.h>\nint y;\n"}});
    EXPECT_FALSE(result.preamble_built) << edited;
    EXPECT_TRUE(is_on_preamble(result)) << edited;
  }
  ::unsetenv("HEDDLE_PREAMBLE_MEMORY_MB");
}

TEST_F(CompilerTest, WithAndWithoutPreambleAreTheSame) {
  const std::string header = "static inline int twice(int x) { return 2 * x; }\nint shared;\nstatic int hidden = 3;\n";
  write("a.h", header);
  const std::string body = "int f(int x) { return twice(x) + shared++ + hidden; }\n";
  const std::string with = write("with.c", "#include \"a.h\"\n" + body);
  const std::string without = write("without.c", header + body);
  const auto a = compiler_.compile(command_for(with), {}), b = compiler_.compile(command_for(without), {});
  EXPECT_TRUE(a.preamble_built);
  EXPECT_FALSE(b.preamble_built);
  ASSERT_TRUE(a.unit && b.unit);
  EXPECT_EQ(a.unit->content, b.unit->content);
  EXPECT_EQ(a.unit->functions.size(), 2u);
}

// Clang's precompiled headers lose them. Each unit is made as its text says, also by the next compile.
TEST_F(CompilerTest, PragmasLastBeyondThePreamble) {
  const std::string body =
      "int shared;\nvoid other(void);\n#ifdef LOCKED\nint f(void) { other(); return shared; }\n#endif\n"
      "int g(void) { return 1; }\n";
  const std::string pop = "#pragma pop_macro(\"LOCKED\")\n", rest = "#undef LOCKED\n";
  const struct {
    std::string begin, then;
    bool precompiled = false;
  } cases[] = {{"#pragma GCC visibility push(hidden)\n", ""},
               {"#pragma\tGCC visibility push( hidden )\n#define LOCKED\n", ""},
               {"#pragma GCC visibility push(hidden)\n#pragma GCC visibility pop\n", "", true},
               {"#define LOCKED\n#pragma push_macro(\"LOCKED\")\n" + rest, pop},
               {"#define LOCKED\n#pragma push_macro(\"LOCKED\")\n" + rest + pop, "", true},
               {"#pragma redefine_extname other another\n#define LOCKED\n", ""},
               {"#pragma clang attribute push(__attribute__((visibility(\"hidden\"))), apply_to = function)\n", ""}};
  for (const auto& one : cases)
    for (const bool in_header : {false, true}) {
      SCOPED_TRACE(one.begin);
      write("a.h", in_header ? one.begin : "");
      const std::string text = (in_header ? "" : one.begin) + "#include \"a.h\"\nint first;\n" + one.then + body;
      const std::string file = write("p.c", text);
      for (const char* more : {"", "int next;\n"}) {
        CompileOptions scratch;
        scratch.tiers = Tiers::scratch_only();
        const CompileResult a = compiler_.compile(command_for(file), {{file, text + more}});
        const CompileResult b = Compiler(scratch).compile(command_for(file), {{file, text + more}});
        EXPECT_FALSE(b.preamble_built);
        if (*more == '\0') {
          EXPECT_EQ(a.preamble_built, one.precompiled);
        }
        expect_equal(a, b);
      }
    }
}

TEST_F(CompilerTest, DependenciesAreListedWithAndWithoutPreamble) {
  write("a.h", "int a;\n");
  const std::string file = write("a.c", "#include <stdio.h>\n#include \"a.h\"\n");
  for (int round = 0; round < 2; ++round) {
    const CompileResult result = compiler_.compile(command_for(file), {});
    const auto own = std::find_if(result.dependencies.begin(), result.dependencies.end(),
                                  [](const auto& d) { return d.path.ends_with("/a.h"); });
    ASSERT_NE(own, result.dependencies.end());
    EXPECT_FALSE(own->system);
    const auto library = std::find_if(result.dependencies.begin(), result.dependencies.end(),
                                      [](const auto& d) { return d.path.ends_with("/stdio.h"); });
    ASSERT_NE(library, result.dependencies.end());
    EXPECT_TRUE(library->system);
    EXPECT_TRUE(std::none_of(result.dependencies.begin(), result.dependencies.end(),
                             [](const auto& d) { return d.path.ends_with("/a.c"); }));
  }
}

TEST_F(CompilerTest, UserFlagsDoNotChangeThePipeline) {
  const std::string file = write("a.c", "#include <stdio.h>\nint g; void f(void) { g = 1; g = 2; }\n");
  const auto plain = compiler_.compile(command_for(file), {});
  const auto heavy =
      compiler_.compile(command_for(file, {"-O3", "-c", "-o", "a.o", "-MMD", "-MF", "a.d", "-fsanitize=thread", "-flto",
                                           "-g0", "-D_FORTIFY_SOURCE=2", "-fstack-protector-strong", "-march=native"}),
                        {});
  ASSERT_TRUE(plain.unit && heavy.unit);
  EXPECT_EQ(plain.unit->content, heavy.unit->content);
  EXPECT_FALSE(fs::exists(directory_ / "a.d"));
}

TEST_F(CompilerTest, ACrashLosesOneCompileOnly) {
  const std::string file = write("a.c", "#include <stdio.h>\nint f(void) { return 1; }\n");
  ::testing::internal::CaptureStderr();
  for (const char* way : {"crash", "llvm_fatal_error"}) {
    const CompileResult lost = compiler_.compile(
        command_for(file), {{file, std::string("#include <stdio.h>\nint g;\n#pragma clang __debug ") + way + "\n"}});
    EXPECT_FALSE(lost.unit);
    ASSERT_FALSE(lost.diagnostics.empty());
    EXPECT_EQ(lost.diagnostics.back().severity, Severity::Error);
    EXPECT_TRUE(lost.lost);
    EXPECT_TRUE(compiler_.compile(command_for(file), {}).unit);
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

// A header that crashes the compiler only where it is precompiled for all units with the same flags.
TEST_F(CompilerTest, ACrashOfWhatIsSharedIsNoneOfTheText) {
  fs::create_directories(directory_ / "library");
  write("library/vector", "#pragma GCC system_header\n#ifndef FIRST\n#pragma clang __debug crash\n#endif\n");
  write("own.h", "inline int one() { return 1; }\n");
  const std::string file =
      write("a.cc", "#define FIRST\n#include <vector>\n#include \"own.h\"\nint f() { return one(); }\n");
  const CompileCommand command = command_for(file, {"-isystem", (directory_ / "library").string()});
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(compiler_.compile(command, {}).unit);
  for (const char* more : {"1", "22"}) {
    write("own.h", std::string("inline int one() { return 2 + ") + more + "; }\n");
    const CompileResult result = compiler_.compile(command, {});
    EXPECT_TRUE(result.unit);
    EXPECT_FALSE(result.lost);
    for (const Diagnostic& one : result.diagnostics) ADD_FAILURE() << one.message;
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(CompilerTest, CxxIsLoweredWithWhatIsMissingSaid) {
  const std::string file =
      write("a.cpp",
            "#include <vector>\n#include <thread>\nstruct X { int x; ~X() { x++; } };\nint f(int n) { X y; "
            "std::vector<int> v; v.push_back(n); try { throw n; } catch (int e) { return e; } }\n");
  const CompileResult result = compiler_.compile(command_for(file, {"-std=c++17"}), {});
  ASSERT_TRUE(result.unit) << (result.diagnostics.empty() ? "" : result.diagnostics[0].message);
  EXPECT_EQ(program::verify(*result.unit), std::vector<std::string>{});
}

TEST_F(CompilerTest, LocksOfStandardMutexesDoNotThrow) {
  const std::string file = write("a.cpp",
                                 "#include <mutex>\n#include <shared_mutex>\nstd::mutex m; std::recursive_mutex r; "
                                 "std::shared_mutex s;\nvoid f() { m.lock(); r.lock(); s.lock(); }\n");
  const CompileResult result = compiler_.compile(command_for(file, {"-std=c++17"}), {});
  ASSERT_TRUE(result.unit);
  std::map<std::string, size_t> calls;
  for (const program::Function& function : result.unit->functions) calls[function.display_name] = function.calls.size();
  EXPECT_EQ(calls.at("std::mutex::lock"), 1u);
  EXPECT_EQ(calls.at("std::recursive_mutex::lock"), 1u);
  // The call, what natively an exception says, and the library's check of the result.
  EXPECT_EQ(calls.at("std::__shared_mutex_pthread::lock"), 3u);
}

TEST_F(CompilerTest, ManyCompilesDoNotGrow) {
  const std::string text =
      "#include <stdio.h>\n#include <stdlib.h>\n#include <pthread.h>\nint f(int x) { return printf(\"%d\", x); }\n";
  const std::string file = write("a.c", text);
  const auto resident = [] {
    std::ifstream status("/proc/self/statm");
    double total = 0, pages = 0;
    status >> total >> pages;
    return pages * 4096 / 1e6;
  };
  double before = 0;
  for (int n = 0; n < 60; ++n) {
    ASSERT_TRUE(compiler_.compile(command_for(file), {{file, text + "// " + std::to_string(n) + "\n"}}).unit);
    if (n == 20) before = resident();
  }
  EXPECT_LT(resident() - before, 4.0);
}

}  // namespace
}  // namespace heddle::frontend
