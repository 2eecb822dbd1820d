// Units compiled on the precompiled headers of the C++ library are the units that their text makes as written.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/frontend/compiler.h"
#include "tests/frontend/same_unit.h"

namespace heddle::frontend {
namespace {

// The unit is compiled, its header (or its own list of headers) edited, and compiled again: on the library's headers?
struct TwoVersions {
  std::string header, main;
  std::vector<std::string> flags = {};
};

bool on_library_headers_as(const std::string& standard, TwoVersions edited) {
  edited.flags.push_back("-std=" + standard);
  const CompileCommand command = command_for("/test/main.cc", edited.flags);
  const std::string known = "#include <cstdio>\n#include <cstring>\n#include <numeric>\n#include <vector>\n";
  const std::vector<Overlay> before = {
      {"/test/main.cc", edited.main}, {"/test/own.h", known}, {"/test/forced.h", "#define FORCED 1\n"}};
  std::vector<Overlay> after = before;
  after[1].text = edited.header;
  Compiler compiler;
  // Its list of headers is known after this, whether its text is in order or not.
  compiler.compile(command, {{"/test/main.cc", "#include \"own.h\"\n"}, before[1], before[2]});
  const CompileResult made = compiler.compile(command, after), as_written = from_scratch(command, after);
  EXPECT_FALSE(as_written.on_library_headers);
  expect_equal(made, as_written);
  return made.on_library_headers;
}

// By C++17 and C++20 in turns.
bool on_library_headers(const TwoVersions& edited) {
  static bool newer = false;
  newer = !newer;
  return on_library_headers_as(newer ? "c++20" : "c++17", edited);
}

TEST(LibraryHeaders, GuardsOnceAndOwnMacrosAfterTheHeadersAreNoMatter) {
  EXPECT_TRUE(
      on_library_headers({"#ifndef OWN_H\n#define OWN_H\n#include <utility>\n#include <string>\n"
                          "inline std::string own() { return \"own\"; }\n#endif\n",
                          "#include \"own.h\"\n#include \"own.h\"\n#include <string>\n#define private public\n"
                          "int f() { return own().size() + std::string(\"x\").size(); }\n"}));
  EXPECT_TRUE(
      on_library_headers({"#pragma once\n#pragma GCC diagnostic push\nstruct Own { int x = 1; };\n"
                          "#pragma GCC diagnostic pop\n#include <vector>\n",
                          "#include \"own.h\"\nint f(std::vector<Own>& all) { all.emplace_back(); "
                          "for (Own& one : all) one.x++; return all.size(); }\n"}));
}

TEST(LibraryHeaders, MacrosThatTheHeadersAskForCount) {
  EXPECT_FALSE(on_library_headers({"#define _GLIBCXX_ASSERTIONS 1\n#include <vector>\n",
                                   "#include \"own.h\"\nint f(std::vector<int>& v) { return v[7]; }\n"}));
  EXPECT_FALSE(on_library_headers(
      {"#define private public\n#include <string>\n", "#include \"own.h\"\nint f() { return 1; }\n"}));
  EXPECT_FALSE(on_library_headers({"#undef __cpp_exceptions\n#include <vector>\n",
                                   "#include \"own.h\"\nint f(std::vector<int>& v) { return v.at(7); }\n"}));
  // Also through a header that is not precompiled itself.
  EXPECT_FALSE(on_library_headers({"#define _GLIBCXX_ASSERTIONS 1\n#include <iostream>\n",
                                   "#include \"own.h\"\nint f(std::string& v) { return v[7]; }\n"}));
}

TEST(LibraryHeaders, MacrosOfTheHeadersAreSeenAfterTheirInclusionOnly) {
  const std::string use = "#include \"own.h\"\nint f() { return OWN; }\n";
  EXPECT_FALSE(on_library_headers(
      {"#include <utility>\n#ifdef EOF\n#define OWN 1\n#else\n#define OWN 2\n#endif\n#include <cstdio>\n", use}));
  EXPECT_FALSE(on_library_headers(
      {"#include <utility>\n#if EOF\n#define OWN 1\n#else\n#define OWN 2\n#endif\n#include <cstdio>\n", use}));
  EXPECT_FALSE(on_library_headers(
      {"#include <utility>\nenum { EOF = 7 };\n#undef EOF\n#include <cstdio>\n#define OWN EOF\n", use}));
  EXPECT_TRUE(on_library_headers({"#include <utility>\n#include <cstdio>\n#define OWN EOF\n", use}));
}

TEST(LibraryHeaders, NamesOfTheHeadersAreSeenAfterTheirInclusionOnly) {
  // As written the only candidate is the unit's own function.
  const std::string early =
      "#include <utility>\nusing namespace std;\ninline int gcd(double a, double b) { return a + b; }\n"
      "inline int own() { return gcd(4, 6); }\n#include <numeric>\n";
  EXPECT_FALSE(on_library_headers({early, "#include \"own.h\"\nint f() { return own(); }\n"}));
  const std::string late =
      "#include <utility>\n#include <numeric>\nusing namespace std;\n"
      "inline int own() { return gcd(4, 6); }\n";
  EXPECT_TRUE(on_library_headers({late, "#include \"own.h\"\nint f() { return own(); }\n"}));
  // A header forgotten is an error, although another unit's list has it.
  EXPECT_FALSE(on_library_headers({"struct Own { std::pair<int, int> x; };\n#include <utility>\n",
                                   "#include \"own.h\"\nint f(Own& own) { return own.x.first; }\n"}));
  EXPECT_FALSE(
      on_library_headers({"struct Own {};\n", "#include \"own.h\"\nint f() { return std::forward<int>(1); }\n"}));
}

TEST(LibraryHeaders, WhereAHeaderIsIncludedCounts) {
  const std::string use = "#include \"own.h\"\nint f() { return 1; }\n";
  EXPECT_FALSE(on_library_headers({"extern \"C\" {\n#include <cstring>\n}\n", use}));
  EXPECT_FALSE(on_library_headers({"#pragma pack(push, 1)\n#include <utility>\n#pragma pack(pop)\n",
                                   "#include \"own.h\"\nstd::pair<char, int> f() { return {1, 2}; }\n"}));
  EXPECT_FALSE(on_library_headers({"#pragma GCC poison own\n#include <utility>\n", use}));
  EXPECT_FALSE(on_library_headers({"#include <utility>\ninline int own() { return __COUNTER__; }\n",
                                   "#include \"own.h\"\nint f() { return own(); }\n"}));
  EXPECT_FALSE(on_library_headers({"#include <utility>\n#include <string>\n", use, {"-include", "/test/forced.h"}}));
}

TEST(LibraryHeaders, StreamsAreConstructedWhereTheUnitSaysSo) {
  EXPECT_TRUE(on_library_headers(
      {"#include <utility>\nstruct Own { Own(); int x; };\nstatic Own first;\n#include <iostream>\nstatic Own "
       "second;\n",
       "#include \"own.h\"\nOwn third;\nint f() { std::cout << first.x + second.x; return third.x; }\n"}));
}

TEST(LibraryHeaders, VariablesOfAPreambleAreInitialisedInTheOrderOfTheText) {
  const std::string header =
      "int make();\nnamespace app {\nstatic int first = make();\n}\nstatic int second = make();\n"
      "namespace app {\nstatic int third = make();\n}\n";
  const std::string use = "int f() { return app::first + second + app::third; }\n";
  const CompileCommand command = command_for("/test/main.cc", {"-std=c++17"});
  Compiler with, without;
  const CompileResult a =
      with.compile(command, {{"/test/own.h", header}, {"/test/main.cc", "#include \"own.h\"\n" + use}});
  const CompileResult b = without.compile(command, {{"/test/main.cc", header + use}});
  ASSERT_TRUE(a.unit && b.unit && a.preamble_built && !b.preamble_built);
  EXPECT_EQ(a.unit->content, b.unit->content);
}

TEST(LibraryHeaders, AssertMeansWhatItMeansAtItsPlace) {
  on_library_headers({"#include <cassert>\ninline void own(int x) { assert(x); }\n",
                      "#include \"own.h\"\n#define NDEBUG\n#include <cassert>\nint f(int x) { own(x); assert(x == 2); "
                      "return x; }\n#undef NDEBUG\n#include <cassert>\nint g(int x) { assert(x == 3); return x; }\n"});
}

TEST(LibraryHeaders, ErrorsAreSaidAsWritten) {
  EXPECT_FALSE(on_library_headers(
      {"#include <utility>\nint own( { return 1; }\n", "#include \"own.h\"\nint f() { return 1; }\n"}));
  EXPECT_FALSE(on_library_headers({"#include <utility>\n", "#include \"own.h\"\nint f() { return undeclared; }\n"}));
  // Nothing is proposed that the text has not included.
  EXPECT_FALSE(on_library_headers(
      {"#include <utility>\n", "#include \"own.h\"\nint f() { return std::accumulat(1, 2, 3); }\n"}));
}

// What the library's headers cost is paid once, and a preamble is built again when doing without it no longer pays.
TEST(LibraryHeaders, APreambleComesBackWhenItPays) {
  const CompileCommand command = command_for("/test/main.cc", {"-std=c++17"});
  const std::string main = "#include \"own.h\"\nint f() { return own(); }\n";
  const Overlay edited{"/test/own.h", "#include <utility>\ninline int own() { return 2; }\n"};
  Compiler compiler;
  EXPECT_TRUE(compiler.compile(command, {{"/test/main.cc", main}, {"/test/own.h", "#include <utility>\nint own();\n"}})
                  .preamble_built);
  int without = 0;
  for (; without < 100; ++without) {
    const CompileResult result =
        compiler.compile(command, {{"/test/main.cc", main + "int g" + std::to_string(without) + ";\n"}, edited});
    ASSERT_TRUE(result.unit);
    if (!result.on_library_headers) break;
  }
  EXPECT_GT(without, 1);
  EXPECT_LT(without, 100);
  EXPECT_FALSE(compiler.compile(command, {{"/test/main.cc", main}, edited}).preamble_built);
}

TEST(LibraryHeaders, ArePreparedBetweenCompiles) {
  const CompileCommand command = command_for("/test/main.cc", {"-std=c++17"});
  const std::string header = "#include <utility>\ninline int own() { return ";
  const Overlay main{"/test/main.cc", "#include \"own.h\"\nint f() { return own(); }\n"};
  for (const bool busy : {true, false}) {
    Compiler compiler;
    EXPECT_TRUE(compiler.compile(command, {main, {"/test/own.h", header + "1; }\n"}}).preamble_built);
    compiler.prepare([&] { return busy; });
    const CompileResult made = compiler.compile(command, {main, {"/test/own.h", header + "2; }\n"}});
    EXPECT_TRUE(made.on_library_headers);
    EXPECT_EQ(made.library_built, busy);
  }
}

// Where preambles have no room, and a file waits for its own.
TEST(LibraryHeaders, ArePreparedWherePreamblesHaveNoRoom) {
  const CompileCommand command = command_for("/test/main.cc", {"-std=c++17"});
  const std::string header = "#include <utility>\ninline int own() { return ";
  const Overlay main{"/test/main.cc", "#include \"own.h\"\nint f() { return own(); }\n"};
  CompileOptions options;
  options.expects_edits = false;
  Compiler compiler(options);
  for (const bool second : {false, true})
    EXPECT_EQ(compiler.compile(command, {main, {"/test/own.h", header + "1; }\n"}}).preamble_built, second);
  compiler.compile(command_for("/test/waits.c"), {{"/test/waits.c", "#include <stddef.h>\nint x;\n"}});
  setenv("HEDDLE_PREAMBLE_MEMORY_MB", "0", 1);
  compiler.prepare([] { return false; });
  unsetenv("HEDDLE_PREAMBLE_MEMORY_MB");
  const CompileResult made = compiler.compile(command, {main, {"/test/own.h", header + "2; }\n"}});
  EXPECT_TRUE(made.on_library_headers);
  EXPECT_FALSE(made.library_built);
}

// The project of the demonstration, its headers edited one after the other.
TEST(LibraryHeaders, AProjectsUnitsAreEqual) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::path(HEDDLE_EXAMPLES) / "quoteserver" / "src";
  std::vector<Overlay> edited;
  for (const char* header : {"log.h", "price_cache.h"}) {
    const std::string path = (folder / header).string();
    std::ifstream stream(path);
    edited.push_back({path, "// edited\n" + std::string(std::istreambuf_iterator<char>(stream), {})});
  }
  Compiler compiler;
  for (const char* file : {"service.cc", "main.cc"}) {
    const CompileCommand command = command_for((folder / file).string(), {"-std=c++17"});
    ASSERT_TRUE(compiler.compile(command, {}).preamble_built);
    const CompileResult made = compiler.compile(command, edited);
    EXPECT_TRUE(made.on_library_headers) << file;
    EXPECT_FALSE(made.preamble_built);
    expect_equal(made, from_scratch(command, edited));
  }
}

}  // namespace
}  // namespace heddle::frontend
