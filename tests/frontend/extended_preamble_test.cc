// Units compiled behind an extended preamble are the units that their text makes from scratch.
#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "examples/tour/edits.h"
#include "tests/frontend/compiler.h"
#include "tests/frontend/same_unit.h"

namespace heddle::frontend {
namespace {

const std::function<bool()> kNeverStop = [] { return false; };

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

// However short a compile takes.
CompileOptions always() {
  CompileOptions options;
  options.extends_after = 0;
  return options;
}

const std::string kHead =
    "#include <string>\n#include <vector>\n"
    "namespace {\nint hidden = 3;\n}\n"
    "static int helper(int x) { return x + hidden; }\n"
    "struct Begun {\n  std::vector<std::string> all;\n"
    "  int get() const { return static_cast<int>(all.size()); }\n};\n"
    "Begun begin(int n) {\n  Begun begun;\n  begun.all.push_back(std::to_string(n));\n"
    "  auto more = [begun] { return helper(begun.get()); };\n  begun.all.resize(more());\n  return begun;\n}\n";

// The edits one after the other with one compiler that prepares after each, and all but the first, which nothing is
// prepared for, from scratch. Was the last one compiled behind an extended preamble?
bool extended(const std::string& text, const std::string& from, const std::vector<std::string>& edits,
              const std::vector<std::string>& flags = {"-std=c++20"}) {
  const CompileCommand command = command_for("/test/main.cc", flags);
  Compiler compiler(always());
  EXPECT_TRUE(compiler.compile(command, {{"/test/main.cc", text}}).unit);
  bool last = false;
  for (const std::string& edit : edits) {
    const std::vector<Overlay> overlays = {{"/test/main.cc", replaced(text, from, edit)}};
    const CompileResult made = compiler.compile(command, overlays);
    if (&edit != &edits.front()) expect_equal(made, from_scratch(command, overlays));
    compiler.prepare(kNeverStop);
    last = made.on_extended_preamble;
  }
  return last;
}

TEST(ExtendedPreamble, WhatStandsBeforeTheEditIsPrecompiled) {
  const std::string text = kHead + "int run(int n) {\n  return begin(n).get() + helper(n);\n}\n";
  EXPECT_TRUE(extended(text, "+ helper(n)", {"- helper(n)", "* helper(n)"}));
  EXPECT_TRUE(extended(text, "+ helper(n)", {"- helper(n)", "+ helper(begin(n).get())", "+ 1", "+ helper(n)"}));
  // Moved lines; a function that comes.
  EXPECT_TRUE(extended(text, "int run", {"\n\n// more\nint run", "// more\n\n\n\nint run"}));
  EXPECT_TRUE(extended(text, "int run", {"int other(int n) { return begin(n).get(); }\nint run", "\nint run"}));
}

TEST(ExtendedPreamble, OtherwiseTheFileIsCompiledAsEver) {
  const std::string text = kHead + "int run(int n) {\n  return begin(n).get() + helper(n);\n}\n";
  EXPECT_FALSE(extended(text, "+ helper(n)", {"- helper(n)"}));                       // nothing is prepared yet
  EXPECT_FALSE(extended(text, "x + hidden", {"x - hidden", "x * hidden"}));           // the first function
  EXPECT_FALSE(extended("#pragma pack(2)\n" + text, "+ helper(n)", {"- 1", "- 2"}));  // its end is not known
  EXPECT_FALSE(extended("#if 1\n" + text + "#endif\n", "+ helper(n)", {"- 1", "- 2"}));
  // Errors are said as ever, and the next text is in order.
  EXPECT_TRUE(extended(text, "+ helper(n)", {"- helper(n)", "- helper(m)", "+ 1"}));
  EXPECT_FALSE(extended(text, "+ helper(n)", {"- helper(n)", "+ 1; }\n}\nint more() {\n  return 1"}));
}

TEST(ExtendedPreamble, NamespacesAreOpenedAgain) {
  const std::string text =
      replaced(kHead, "static int helper",
               "namespace app { inline namespace v1 { namespace detail::deep {\nstruct Own { int value = 2; };\n"
               "static int helper");
  for (const char* run : {"int run(int n) { Own own; return begin(n).get() + own.value; }\n}\n}\n}\n",
                          "}\nint run(int n) { detail::deep::Own own; return own.value; }\n}\n}\n",
                          "}\n}\n}\nint run(int n) { app::detail::deep::Own own; return own.value; }\n"})
    EXPECT_TRUE(extended(text + run, "own.value; }", {"own.value + 1; }", "2 * own.value; }"})) << run;
  const std::string unnamed =
      "namespace {\nstruct Local { int f() { return 1; } };\nint made() { return Local{}.f(); }\n";
  EXPECT_TRUE(extended(kHead + unnamed + "int run() { return made(); }\n}\nint g() { return run(); }\n",
                       "return made()", {"return made() + 1", "return made() + helper(2)"}));
}

TEST(ExtendedPreamble, InitialisersLambdasAndTemplatesAreAsWritten) {
  const std::string text =
      kHead +
      "namespace app {\nint first = helper(1);\n}\nint second = helper(2);\n"
      "template <typename T> struct Registry { static std::vector<T> all; };\n"
      "template <typename T> std::vector<T> Registry<T>::all(3);\n"
      "struct Base { virtual ~Base() = default; virtual int f() { return 1; } };\n"
      "inline int once() { static int made = helper(7); return made; }\n"
      "template <typename T> int late(T value);\n"
      "auto twice = [](int x) { return 2 * x; };\n"
      "int before() { auto f = [](int x) { return x + once(); }; return f(late(3)) + Registry<int>::all.size(); }\n"
      "namespace app {\nint third = helper(3);\n"
      "struct Derived : Base { int f() override { return 2; } };\n}\n"
      "template <typename T> int late(T value) { return value + 1; }\n"
      "int run(int n) {\n  app::Derived d; auto g = [&] { return d.f(); };\n"
      "  return g() + twice(n) + before() + late('c') + Registry<char>::all.size();\n}\n"
      "int behind() { return run(1); }\nstatic int fourth = helper(4);\n";
  EXPECT_TRUE(extended(text, "g() + twice", {"g() - twice", "g() * twice"}));
  EXPECT_TRUE(extended(text, "g() + twice", {"g() - twice", "g() * twice"}, {"-std=c++17", "-Wall", "-Wextra"}));
}

TEST(ExtendedPreamble, MacrosOfTheCommandAreAsTheTextLeavesThem) {
  const std::string text = "#undef K\n#define K 2\n" + kHead + "int run(int n) {\n  return begin(n).get() + K;\n}\n";
  EXPECT_TRUE(extended(text, "+ K", {"- K", "* K"}, {"-std=c++20", "-DK=1"}));
}

// A place before it counts at once, one behind it the second time.
TEST(ExtendedPreamble, FollowsTheEdits) {
  const CompileCommand command = command_for("/test/main.cc", {"-std=c++17"});
  const std::string text = kHead + "int one(int n) { return 11; }\nint two(int n) { return 22; }\n";
  Compiler compiler(always());
  const auto compiled = [&](const std::string& from, const std::string& to) {
    const CompileResult made = compiler.compile(command, {{"/test/main.cc", replaced(text, from, to)}});
    EXPECT_EQ(made.functions_taken_over > 0, from != to) << to;
    compiler.prepare(kNeverStop);
    return made.on_extended_preamble;
  };
  EXPECT_FALSE(compiled("22", "22"));
  EXPECT_FALSE(compiled("22", "23"));
  EXPECT_TRUE(compiled("22", "24"));
  EXPECT_FALSE(compiled("11", "12"));  // before it
  EXPECT_TRUE(compiled("11", "13"));
  EXPECT_TRUE(compiled("22", "25"));
}

// Nobody calls these: they are called before main, or are there for other units.
TEST(ExtendedPreamble, WhatHasToBeThereIsThere) {
  const std::string text =
      kHead +
      "struct Early { __attribute__((constructor)) static void start() { hidden = 4; }\n"
      "  __attribute__((used)) void kept() { hidden = 5; } };\n"
      "template <typename T> struct Both { T twice(T x) { return x + x; } };\ntemplate struct Both<long>;\n"
      "int before() { return helper(1); }\nint run(int n) { return helper(n); }\n";
  EXPECT_TRUE(extended(text, "return helper(n)", {"return 1 + helper(n)", "return 2 + helper(n)"}));
}

// A new function of a header could be found by what stands in front of the cut and names it.
TEST(ExtendedPreamble, NamesInFrontOfTheCutAreKnown) {
  const CompileCommand command = command_for("/test/main.cc", {"-std=c++17"});
  const std::string text = "#include \"own.h\"\n" + kHead +
                           "inline int peculiar(...) { return 1; }\n"
                           "template <typename T> int ask(T value) { return peculiar(value); }\n"
                           "int one() { return ask(Own()); }\nint two() { return 22; }\n";
  const Overlay header = {"/test/own.h", "struct Own {};\n"};
  Compiler compiler(always());
  compiler.compile(command, {header, {"/test/main.cc", text}});
  bool behind = false;
  for (const char* value : {"23", "24", "24"}) {  // the last one generates nothing that names it
    behind = compiler.compile(command, {header, {"/test/main.cc", replaced(text, "22", value)}}).on_extended_preamble;
    compiler.prepare(kNeverStop);
  }
  EXPECT_TRUE(behind);
  const std::vector<Overlay> more = {{header.path, header.text + "int peculiar(Own);\n"},
                                     {"/test/main.cc", replaced(text, "22", "24")}};
  const CompileResult made = compiler.compile(command, more);
  EXPECT_FALSE(made.on_extended_preamble);
  EXPECT_EQ(made.functions_taken_over, 0u);
  expect_equal(made, from_scratch(command, more));
}

TEST(ExtendedPreamble, StopsWhenSomethingElseIsToDo) {
  const CompileCommand command = command_for("/test/main.cc", {"-std=c++17"});
  const std::string text = kHead + "int run(int n) {\n  return begin(n).get() + helper(n);\n}\n";
  Compiler compiler(always());
  compiler.compile(command, {{"/test/main.cc", text}});
  compiler.compile(command, {{"/test/main.cc", replaced(text, "+ helper(n)", "- 1")}});
  compiler.prepare(kNeverStop);  // of the library's headers, too
  const std::vector<Overlay> overlays = {{"/test/main.cc", "// moved\n" + text}};
  compiler.compile(command, overlays);
  compiler.compile(command, {{"/test/main.cc", replaced(overlays[0].text, "+ helper(n)", "- 2")}});
  std::atomic<int> asked{0};
  compiler.prepare([&] { return ++asked > 5; });
  EXPECT_GT(asked, 5);
  const CompileResult made = compiler.compile(command, overlays);
  EXPECT_FALSE(made.on_extended_preamble);
  expect_equal(made, from_scratch(command, overlays));
  compiler.prepare(kNeverStop);
  EXPECT_TRUE(compiler.compile(command, {{"/test/main.cc", replaced(overlays[0].text, "+ helper(n)", "- 3")}})
                  .on_extended_preamble);
}

// The project of the demonstration: each of its edits twice, and a header that changes under it.
TEST(ExtendedPreamble, AProjectsUnitsAreEqual) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(HEDDLE_EXAMPLES) / "quoteserver";
  const fs::path copy = fs::temp_directory_path() / ("heddle-extended-" + std::to_string(::getpid()));
  fs::copy(folder, copy, fs::copy_options::recursive);
  const auto read = [](const fs::path& path) {
    std::ifstream stream(path);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  const auto write = [](const fs::path& path, const std::string& text) { std::ofstream(path) << text; };
  Compiler compiler;
  int round = 0, behind = 0;
  for (const tour::Edit& edit : tour::quoteserver().edits) {
    const CompileCommand command =
        command_for((copy / (edit.unit.empty() ? edit.file : edit.unit)).string(), {"-std=c++17"});
    const std::string text = read(copy / edit.file);
    ASSERT_TRUE(compiler.compile(command, {}).unit);
    for (int time = 0; time < 2; ++time) {
      write(copy / edit.file, tour::apply(edit, text, ++round));
      const CompileResult made = compiler.compile(command, {});
      if (made.on_extended_preamble) expect_equal(made, from_scratch(command, {}));
      compiler.prepare(kNeverStop);
      behind += made.on_extended_preamble;
    }
    write(copy / edit.file, text);
  }
  EXPECT_GE(behind, 3);
  fs::remove_all(copy);
}

}  // namespace
}  // namespace heddle::frontend
