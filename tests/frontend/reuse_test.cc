// A compile that takes functions over from the last one makes the unit that it makes from scratch.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "examples/tour/edits.h"
#include "tests/frontend/compiler.h"
#include "tests/frontend/same_unit.h"

namespace heddle::frontend {
namespace {

struct Texts {
  std::string header, main;
};

// Compiles one after the other with one compiler, and all but the first from scratch too. How much the last one took
// over. A test that begins with the first text again goes on with its compiler, as a user who takes an edit back.
size_t taken_over(const std::vector<Texts>& versions, const std::vector<std::string>& flags = {"-std=c++17"}) {
  const CompileCommand command = command_for("/test/main.cc", flags);
  static std::map<std::vector<std::string>, Compiler> compilers;
  std::vector<std::string> key = flags;
  key.insert(key.end(), {versions.front().header, versions.front().main});
  Compiler& compiler = compilers[key];
  size_t taken = 0;
  for (const Texts& texts : versions) {
    const std::vector<Overlay> overlays = {{"/test/own.h", texts.header},
                                           {"/test/main.cc", "#include \"own.h\"\n" + texts.main}};
    const CompileResult made = compiler.compile(command, overlays);
    EXPECT_TRUE(made.unit);
    if (&texts != &versions.front()) expect_equal(made, from_scratch(command, overlays));
    taken = made.functions_taken_over;
  }
  return taken;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

size_t taken_after_edit(const Texts& texts, const std::string& from, const std::string& to,
                        const std::vector<std::string>& flags = {"-std=c++17"}) {
  return taken_over({texts,
                     {texts.header.find(from) == std::string::npos ? texts.header : replaced(texts.header, from, to),
                      texts.main.find(from) == std::string::npos ? texts.main : replaced(texts.main, from, to)}},
                    flags);
}

const Texts kShop = {
    "#pragma once\n#include <algorithm>\n#include <functional>\n#include <map>\n#include <memory>\n#include <string>\n"
    "#include <vector>\n"
    "struct Price { int cents = 0; std::string text;\n"
    "  bool operator<(const Price& other) const { return cents < other.cents; } };\n"
    "struct Shape { virtual ~Shape() = default; virtual int area() const { return 1; } };\n"
    "template <typename T> T twice(T value) { return value + value; }\n"
    "constexpr int limit(int x) { return x + 1; }\n"
    "inline auto deduced(int x) { return x + 2; }\n"
    "inline int checked(int x) { if (x < 0) throw x; return x; }\n"
    "inline std::vector<int> shared = {1, 2, 3};\n",
    "namespace {\nstruct Hidden { int value = 4; };\n}\n"
    "struct Square : Shape { int side = 2; int area() const override { return side * side; } };\n"
    "bool later(const Price& a, const Price& b) { return b < a; }\n"
    "int fill(std::map<Price, std::vector<std::string>>& all) {\n"
    "  all[Price{1, \"one\"}].push_back(\"first\");\n"
    "  return static_cast<int>(all.size());\n}\n"
    "void order(std::vector<Price>& prices) {\n"
    "  std::sort(prices.begin(), prices.end(), [](const Price& a, const Price& b) { return a < b; });\n"
    "  std::sort(prices.begin(), prices.end(), later);\n}\n"
    "int run(int n) {\n  int array[limit(2)] = {};\n"
    "  std::shared_ptr<Shape> shape = std::make_shared<Square>();\n"
    "  std::function<int(int)> f = [n](int x) { return x + n; };\n"
    "  std::function<void()> fills([&] { array[0] = f(shape->area()); });\n  fills();\n"
    "  std::vector<Hidden> hidden(3);\n"
    "  return array[0] + twice(n) + deduced(n) + checked(n) + hidden[1].value + shared[0];\n}\n"};

TEST(Reuse, ABodyMayChange) {
  EXPECT_GT(taken_after_edit(kShop, "\"first\"", "std::string(all.begin()->first.text, 1)"), 100u);
  EXPECT_GT(taken_after_edit(kShop, "return static_cast", "// moved\n\n  return static_cast"), 100u);
  EXPECT_GT(taken_after_edit(kShop, "[n](int x) { return x + n; }", "[n, shape](int x) { return x * n; }"), 100u);
  EXPECT_GT(taken_after_edit(kShop, "return side * side;", "if (side > 9) throw side; return side;"), 100u);
  EXPECT_GT(taken_after_edit(kShop, "std::vector<Hidden> hidden(3);", "std::vector<Hidden> hidden(n, Hidden{7});"),
            100u);
  EXPECT_GT(taken_after_edit(kShop, "return b < a;", "return twice(b.cents) < a.cents;"), 100u);
  // A function is left out and another one comes.
  EXPECT_GT(taken_after_edit(kShop, "twice(n)", "static_cast<int>(std::to_string(n).size())"), 100u);
  EXPECT_GT(taken_after_edit(kShop, "shared[0]", "1"), 100u);
}

TEST(Reuse, WhatAnAliasStandsForIsThere) {
  const Texts texts = {
      kShop.header + "struct Own { Own(); ~Own(); int x; };\ninline thread_local Own own;\n",
      "static thread_local Own other;\nstatic int kept(int x) { return checked(x) + 1; }\n"
      "extern \"C\" int named(int) __attribute__((alias(\"_ZL4kepti\")));\nint use() { return own.x + other.x; }\n"};
  taken_after_edit(texts, "return value + value;", "return value;");
  taken_after_edit(texts, "return checked(x) + 1;", "return checked(x) + 2;");
  taken_after_edit(texts, "return own.x + other.x;", "return other.x;");
}

TEST(Reuse, ABodyInAHeaderMayChange) {
  EXPECT_GT(taken_after_edit(kShop, "return cents < other.cents;", "return text < other.text;"), 100u);
  EXPECT_GT(taken_after_edit(kShop, "return value + value;", "const T copy = value;\n  return copy + value;"), 100u);
  EXPECT_GT(taken_after_edit(kShop, "virtual int area() const { return 1; }", "virtual int area() const { throw 1; }"),
            100u);
  EXPECT_GT(taken_after_edit(kShop, "if (x < 0) throw x;", ""), 100u);
  // What now throws: functions that were not touched have another way out.
  EXPECT_EQ(
      taken_after_edit(kShop, "return cents < other.cents;", "if (cents < 0) throw 1; return cents < other.cents;"),
      0u);
}

TEST(Reuse, WhatIsSeenOutsideABodyMayNot) {
  EXPECT_EQ(taken_after_edit(kShop, "return x + 1;", "return x + 2;"), 0u);   // constexpr
  EXPECT_EQ(taken_after_edit(kShop, "return x + 2;", "return x + 2L;"), 0u);  // a deduced result
  EXPECT_EQ(taken_after_edit(kShop, "std::string text;", "std::string text; long more = 0;"), 0u);
  EXPECT_EQ(taken_after_edit(kShop, "int side = 2;", "int side = 3;"), 0u);
  EXPECT_EQ(taken_after_edit(kShop, "bool later(", "bool operator<(const Price&, int);\nbool later("), 0u);
  EXPECT_EQ(taken_after_edit(kShop, "#include <map>\n", "#include <map>\n#include <set>\n"), 0u);
  EXPECT_EQ(taken_after_edit(kShop, "return b < a;", "\n#define LATER 1\nreturn b < a;"), 0u);
  EXPECT_EQ(taken_after_edit(kShop, "int cents", "static int line() { return __LINE__; } int cents"), 0u);
}

TEST(Reuse, FunctionsComeAndGo) {
  const std::string more =
      "int helper(const std::vector<int>& all);\nint helper(const std::vector<int>& all) {\n"
      "  std::map<int, int> seen;\n  for (int one : all) seen[one]++;\n  return seen.size();\n}\n";
  const Texts with = {kShop.header, replaced(kShop.main, "bool later(", more + "bool later(")};
  const Texts used = {kShop.header, replaced(with.main, "checked(n)", "helper(shared)")};
  EXPECT_GT(taken_over({kShop, with, used, with}), 100u);
  EXPECT_GT(taken_over({with, kShop}), 100u);
  // Another text could find these.
  EXPECT_EQ(taken_after_edit(kShop, "bool later(", "int swap(Price& a, Price& b) { return 1; }\nbool later("), 0u);
  EXPECT_EQ(taken_after_edit(kShop, "bool later(", "int area(const Price& a);\nbool later("), 0u);
}

TEST(Reuse, TheUnitsOwnLambdasKeepTheirNumbers) {
  const Texts texts = {
      "#include <future>\n#include <thread>\n#include <vector>\n",
      "int main() {\n  std::vector<int> v;\n  std::packaged_task<int()> task([&] { return v.size(); });\n"
      "  std::thread first([&] { v.push_back(1); });\n  first.join();\n"
      "  auto second = std::async(std::launch::deferred, [&] { return v[0]; });\n  std::thread "
      "third(std::move(task));\n"
      "  third.join();\n  return second.get();\n}\n"};
  EXPECT_GT(taken_after_edit(texts, "push_back(1)", "push_back(2)"), 50u);
}

// What is not instantiated says nothing.
TEST(Reuse, WarningsAreSaidAgain) {
  const Texts texts = {
      "#include <map>\n#include <memory>\n#include <vector>\n"
      "template <typename T> struct Less { bool operator()(T a, T b) const { return a < b || a < 1u; } };\n"
      "struct Base { std::shared_ptr<int> kept; virtual ~Base() {} };\n",
      "struct Derived : Base { std::vector<std::vector<Derived*>> all; ~Derived() override {} };\n"
      "int f(std::map<int, Derived, Less<int>>& m) { return m.count(3) + m[2].all.size(); }\n"};
  EXPECT_GT(taken_after_edit(texts, "m.count(3)", "m.count(4)", {"-std=c++17", "-Wall", "-Wextra"}), 50u);
}

TEST(Reuse, EditAfterEdit) {
  const Texts first = {kShop.header, replaced(kShop.main, "\"first\"", "\"1\"")};
  const Texts second = {replaced(kShop.header, "cents < other.cents", "cents > other.cents"), first.main};
  const Texts third = {second.header, replaced(second.main, "twice(n)", "twice(std::string(\"x\")).size()")};
  EXPECT_GT(taken_over({kShop, first, second, third, first, kShop}), 100u);
  EXPECT_GT(taken_over({kShop, first, second}, {"-std=c++20"}), 100u);
}

TEST(Reuse, LocalTypesAreTheTextOfABody) {
  const Texts texts = {
      "#include <memory>\n#include <vector>\n"
      "inline int made() { struct Local { int a = 1; }; std::vector<Local> all(2); return all[1].a; }\n"
      "template <typename F> int call(F f) { return std::make_shared<F>(f)->operator()(); }\n"
      "inline int called() { int x = 3; return call([x] { return x; }); }\n",
      "int f() { return made() + called(); }\n"};
  taken_after_edit(texts, "int a = 1;", "long b = 2; int a = 1;");
  taken_after_edit(texts, "int x = 3; return call([x] { return x; });",
                   "long x = 3, y = 4; return call([x, y] { return x + y; });");
  EXPECT_GT(taken_after_edit(texts, "return made()", "return 2 * made()"), 0u);
}

TEST(Reuse, CoroutinesVirtualBasesAndVariablesWithCode) {
  const Texts texts = {
      "#include <coroutine>\n#include <string>\n#include <vector>\n"
      "struct Task { struct promise_type { Task get_return_object() { return {}; } std::suspend_never "
      "initial_suspend() "
      "{ return {}; } std::suspend_never final_suspend() noexcept { return {}; } void return_void() {} void "
      "unhandled_exception() {} }; };\n"
      "inline Task go(std::vector<int>& out) { out.push_back(1); co_await std::suspend_never{}; out.push_back(2); }\n"
      "struct Root { std::string name = \"root\"; virtual ~Root() {} };\n"
      "struct Left : virtual Root {}; struct Right : virtual Root {}; struct Both : Left, Right {};\n"
      "template <typename T> struct Registry { static std::vector<T> all; };\n"
      "template <typename T> std::vector<T> Registry<T>::all(3);\n"
      "inline thread_local std::string own = \"mine\";\n"
      "inline int count() { static std::vector<int> once(2); return once.size() + Registry<int>::all.size(); }\n",
      "int f() { std::vector<int> v; go(v); Both both; return v.size() + both.name.size() + own.size() + count(); }\n"
      "int g() { return 1; }\n"};
  EXPECT_GT(taken_after_edit(texts, "return 1;", "return 2;", {"-std=c++20"}), 0u);
  taken_after_edit(texts, "Both both; return", "Both both, more; own += more.name; return", {"-std=c++20"});
  taken_after_edit(texts, "out.push_back(2);", "out.push_back(3); out.clear();", {"-std=c++20"});
}

// What has no linkage, its own or an external one, in front of what changes and behind it.
const Texts kOwn = {
    "#include <functional>\n#include <string>\n#include <vector>\n"
    "struct Clock { virtual ~Clock(); virtual int now(); int ticks = 1; };\n"
    "struct Named { virtual ~Named() {} virtual std::string name() { return \"named\"; } };\n"
    "struct Both : Named, Clock { Both(int start); ~Both() override; int now() override; int start; };\n"
    "inline int tick(int x) { return x + 1; }\n"
    "int from_header(std::vector<int>& v) { std::function<void()> t([&v] { v.push_back(1); }); t(); return v[0]; }\n",
    "namespace {\nint hidden(int x) { return tick(x); }\n"
    "template <typename F> int twice(F f) { return f() + f(); }\nstruct Guarded { int x = hidden(2); };\n}\n"
    "static int counted() { static int n = 0; return ++n; }\n"
    "static int with_lambda(int x) { return twice([x] { return x; }); }\n"
    "int calls(int x) { return with_lambda(x); }\n"
    "static int begun = 0;\n"
    "__attribute__((constructor)) static void begin() { begun = hidden(3); }\n"
    "extern \"C\" int plain(int x) { return x + hidden(x); }\n"
    "extern \"C\" int other(int x) __attribute__((alias(\"plain\")));\n"
    "namespace own {\n"
    "int first(std::vector<int>& v) {\n"
    "  std::function<void()> t([&] { v.push_back(twice([&] { return static_cast<int>(v.size()); })); });\n  t();\n"
    "  return v[0] + hidden(1);\n}\n"
    "int generic(int x) { auto f = [](auto y) { return y + 1; }; return twice([&] { return f(x); }); }\n"
    "int unnamed() { struct { int a = 1; } s; return twice([s] { return s.a; }); }\n"
    "template <typename F> int calls_it(F f) { return f(4); }\n"
    "auto lone = [](int x) { return x + 2; };\nint with_lone() { return calls_it(lone); }\n"
    "auto table = std::vector<std::function<int(int)>>{[](int x) { return x; }, hidden};\n"
    "namespace inner {\nint middle(int x) { Guarded g; return x + g.x + counted(); }\n}\n}\n"
    "Clock::~Clock() {}\nint Clock::now() { return ticks; }\n"
    "Both::Both(int begin) : start(tick(begin)) {}\nBoth::~Both() {}\nint Both::now() { return start; }\n"
    "int last(std::vector<int>& v) {\n"
    "  std::function<int()> task([&] { return v.size() + plain(1); });\n"
    "  Both both(1);\n  return task() + both.now() + own::table[0](1) + begun;\n}\n"};

TEST(Reuse, WhatIsTheUnitsOwnIsTakenOver) {
  const size_t all = taken_after_edit(kOwn, "return v[0] + hidden(1);", "return v[0] + hidden(2);");
  EXPECT_GT(all, 150u);
  // The last function: all that stands in front of it.
  EXPECT_GT(taken_after_edit(kOwn, "+ begun;", "+ begun + 1;"), all);
  EXPECT_GT(taken_after_edit(kOwn, "return x + 1; }\nint from", "return x + 2; }\nint from"), all / 2);
  EXPECT_GT(taken_after_edit(kOwn, "return x + g.x", "auto f = [&] { return x; };\n  return f() + g.x"), 150u);
  EXPECT_GT(taken_after_edit(kOwn, "return tick(x);", "if (x > 7) throw x;\n  return tick(x);"), 100u);
  taken_after_edit(kOwn, "int generic(int x) {", "int generic(int x) {\n  int z = twice([&] { return x; }); x += z;");
  taken_after_edit(kOwn, "return ++n;", "return twice([] { return ++n; });");
  taken_after_edit(kOwn, "return ticks;", "return ticks + 1;");
  taken_after_edit(kOwn, "start(tick(begin)) {}", "start(tick(begin)) { ticks = 3; }");
}

// Lines of what members begin with, and of default arguments, are those of another text than the function's.
TEST(Reuse, LinesOfWhatStandsElsewhereMayMove) {
  const Texts texts = {
      "#include <vector>\ninline int g(int x) { return x; }\n"
      "struct Far { Far(int); int f(int x) {\n    return g(x); }\n  int y = g(2), z; };\n"
      "int wants(int x, int y = g(3));\n",
      "struct Near { Near(int z) : z(z) {} int f(int x) {\n    return g(x); }\n  int y = g(1), z; };\n"
      "Far::Far(int z) : z(z) {}\nint calls() { return wants(1); }\n"
      "int use() { Near near(1); Far far(2); return near.f(3) + far.f(4); }\n"};
  taken_after_edit(texts, "return g(x); }\n  int y = g(1)", "return\n\n g(x + 1); }\n  int y = g(1)");
  taken_after_edit(texts, "return g(x); }\n  int y = g(2)", "return\n\n g(x + 1); }\n  int y = g(2)");
}

// Those outside functions are numbered by how many came before.
TEST(Reuse, LambdasThatComeMoveTheNumbersOfOthers) {
  const std::string two = "std::function<void()> t([&v] { v.push_back(1); }), s([&v] { v.size(); }); s();";
  const Texts more = {replaced(kOwn.header, "std::function<void()> t([&v] { v.push_back(1); });", two), kOwn.main};
  const Texts further = {more.header, replaced(kOwn.main, "+ begun;", "+ begun + 2;")};
  taken_over({kOwn, more, further, kOwn, further});
  const std::string front = "static int fresh(int x) { return twice([x] { return x; }); }\n";
  const Texts added = {kOwn.header, replaced(kOwn.main, "static int counted()", front + "static int counted()")};
  taken_over({kOwn, added, kOwn});
}

// The project of the demonstration: each of its edits after the other.
TEST(Reuse, AProjectsUnitsAreEqual) {
  const std::filesystem::path folder = std::filesystem::path(HEDDLE_EXAMPLES) / "quoteserver";
  const auto read = [](const std::filesystem::path& path) {
    std::ifstream stream(path);
    return std::string(std::istreambuf_iterator<char>(stream), {});
  };
  Compiler compiler;
  size_t most = 0;
  int round = 0;
  for (const tour::Edit& edit : tour::quoteserver().edits) {
    const std::string unit = (folder / (edit.unit.empty() ? edit.file : edit.unit)).string();
    const std::string file = (folder / edit.file).string();
    const CompileCommand command = command_for(unit, {"-std=c++17"});
    ASSERT_TRUE(compiler.compile(command, {}).unit);
    const std::vector<Overlay> edited = {{file, tour::apply(edit, read(file), ++round)}};
    const CompileResult made = compiler.compile(command, edited);
    expect_equal(made, from_scratch(command, edited));
    EXPECT_GT(made.functions_taken_over, 0u) << edit.name;
    most = std::max(most, made.functions_taken_over);
  }
  EXPECT_GT(most, 500u);
}

}  // namespace
}  // namespace heddle::frontend
