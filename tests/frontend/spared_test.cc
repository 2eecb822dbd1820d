// Of the units that read an edited header, those are not compiled that make nothing of what changed, and they are what
// a compile from scratch gives.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "tests/frontend/compiler.h"
#include "tests/frontend/same_unit.h"

namespace heddle::frontend {
namespace {

struct Texts {
  std::string header;
  std::vector<std::string> units;
};

using Spared = std::vector<bool>;

std::vector<CompileJob> jobs_of(const Texts& texts, const std::vector<std::string>& flags) {
  std::vector<CompileJob> jobs;
  for (size_t i = 0; i < texts.units.size(); ++i) {
    const std::string file = "/test/" + std::to_string(i) + ".cc";
    jobs.push_back(
        {command_for(file, flags), {{"/test/own.h", texts.header}, {file, "#include \"own.h\"\n" + texts.units[i]}}});
  }
  return jobs;
}

std::map<std::string, std::string> read_by(const CompileResult& result) {
  std::map<std::string, std::string> files;
  for (const Dependency& one : result.dependencies) files[one.path] = one.content.hex();
  return files;
}

Texts without_library(Texts texts) {
  const std::string include = "#include <utility>\n";
  texts.header.replace(texts.header.find(include), include.size(), "");
  return texts;
}

// Compiles the versions one after the other; every unit of all but the first from scratch too. Who was spared at last.
Spared spared_with(const std::vector<Texts>& versions) {
  const std::vector<std::string> flags = {"-std=c++20", "-Wall"};
  Compiler compiler;
  Spared result;
  for (const Texts& texts : versions) {
    const std::vector<CompileJob> jobs = jobs_of(texts, flags);
    const auto made = compiler.compile_all(jobs, 2, [](size_t) { return true; });
    result.clear();
    for (size_t i = 0; i < jobs.size(); ++i) {
      SCOPED_TRACE(jobs[i].command.file + " of version " + std::to_string(&texts - versions.data()));
      result.push_back(made[i]->as_before);
      if (&texts == &versions.front()) continue;
      const CompileResult scratch = from_scratch(jobs[i].command, jobs[i].overlays);
      expect_equal(*made[i], scratch);
      if (scratch.unit) {
        EXPECT_EQ(read_by(*made[i]), read_by(scratch));
      }
    }
  }
  return result;
}

// On the library's headers, and with preambles that the header is in: the same are spared.
Spared spared(std::vector<Texts> versions) {
  const Spared result = spared_with(versions);
  for (Texts& texts : versions) texts = without_library(texts);
  EXPECT_EQ(spared_with(versions), result);
  return result;
}

Texts with(Texts texts, const std::string& from, const std::string& to) {
  const size_t at = texts.header.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  texts.header.replace(at, from.size(), to);
  return texts;
}

Spared after(const Texts& texts, const std::string& from, const std::string& to) {
  return spared({texts, with(texts, from, to)});
}

const Texts kShop = {
    "#pragma once\n#include <utility>\n"
    "template <typename T> struct List {\n  T data[8] = {};\n  int used = 0;\n  int size() const { return used; }\n"
    "  void push_back(T value) { data[used++] = value; }\n  void pop_back() { --used; }\n};\n"
    "inline int plus(int x, int y) {\n  return x\n      + y +\n      41;\n}\n"
    "template <typename T> class Box {\n public:\n"
    "  void put(T value) {\n    values_.push_back(value);\n  }\n"
    "  int size() const { return values_.size(); }\n"
    "  int more() const {\n    return plus(values_.size(),\n        31);\n  }\n"  // no code in the line of a literal
    " private:\n  List<T> values_;\n};\n"
    "inline int twice(int x) { return x + x; }\n"
    "inline int thrice(int x) { auto f = [x](int y) { return x + y; };\n  return f(twice(x)); }\n"
    "constexpr int fixed(int x) { return x + 1; }\n"
    "inline auto guessed(int x) { return x + 2; }\n"
    "struct Shape { virtual ~Shape() = default; virtual int area() const { return 1; } int more = fixed(3); };\n"
    "template <typename T> struct Outer { struct Inner { T get() { return T(5); } };\n"
    "  template <typename U> U as(T value) { return static_cast<U>(value); } };\n"
    "template <typename T> T chosen(T value) { return value + 6; }\n",
    {"int a(int n) { Box<int> box; box.put(n); return twice(n) + guessed(n); }\n",
     "int b(Box<int>& box) { Shape shape; return box.more() + box.size() + shape.area(); }\n",
     "int c(int n) { return thrice(n) + Outer<int>::Inner().get() + chosen(n); }\n"}};

TEST(Spared, WhoMakesNothingOfTheBody) {
  EXPECT_EQ(after(kShop, "values_.push_back(value);", "values_.push_back(value + 1);"), Spared({false, true, true}));
  EXPECT_EQ(after(kShop, "return values_.size();", "return values_.size() + 1;"), Spared({true, false, true}));
  EXPECT_EQ(after(kShop, "return T(5);", "return T(7);"), Spared({true, true, false}));
  EXPECT_EQ(after(kShop, "return value + 6;", "return value + 8;"), Spared({true, true, false}));
  EXPECT_EQ(after(kShop, "return 1; } int more", "return 9; } int more"), Spared({true, false, true}));
  EXPECT_EQ(after(kShop, "return x + y;", "return x - y;"), Spared({true, true, false}));
}

TEST(Spared, WhoUsesItByWayOfAnother) {
  EXPECT_EQ(after(kShop, "return x + x;", "return x * 2;"), Spared({false, true, false}));
}

TEST(Spared, OneLooksAtTheHeader) {
  for (const auto& [from, to] : {std::pair("return static_cast<U>(value);", "return static_cast<U>(value) + 1;"),
                                 std::pair("return x + 1;", "return x + 1; /* more */")}) {
    const Spared all = spared_with({kShop, with(kShop, from, to)});
    EXPECT_EQ(std::count(all.begin(), all.end(), false), 1);
  }
}

TEST(Spared, NobodyWhereTextOutsideBodiesChanged) {
  const Spared nobody(3, false);
  EXPECT_EQ(after(kShop, "fixed(int x) { return x + 1; }", "fixed(int x) { return x + 2; }"), nobody);
  EXPECT_EQ(after(kShop, "return x + 2;", "return x + 2L;"), nobody);
  EXPECT_EQ(after(kShop, "List<T> values_;", "List<T> values_, more_;"), nobody);
  EXPECT_EQ(after(kShop, "inline int twice", "inline int once(int x) { return x; }\ninline int twice"), nobody);
  EXPECT_EQ(after(kShop, "inline int twice(int x) { return x + x; }", "inline int twice(int x);"), nobody);
}

// Its own lambdas are numbered after those of functions that only it can see.
TEST(Spared, NobodyForFunctionsOfTheUnitsOwn) {
  Texts texts = kShop;
  texts.header +=
      "[[maybe_unused]] static int own(int x) { return x; }\n"
      "namespace { inline int hidden() { return 3; } }\n";
  for (std::string& unit : texts.units) unit += "int l(int x) { auto f = [x] { return x + hidden(); }; return f(); }\n";
  const Spared nobody(3, false);
  EXPECT_EQ(after(texts, "{ return x; }", "{ auto f = [x] { return x; }; return f(); }"), nobody);
  EXPECT_EQ(after(texts, "return 3;", "return 4;"), nobody);
}

TEST(Spared, WhoHasCodeInLinesThatMoved) {
  EXPECT_EQ(after(kShop, "    values_.push_back(value);\n", "    values_.push_back(value);\n\n"),
            Spared({false, false, false}));
  EXPECT_EQ(after(kShop, "return static_cast<U>(value);", "\nreturn static_cast<U>(value);"),
            Spared({true, true, false}));
}

TEST(Spared, WhoHasCodeBehindItInTheLine) {
  Texts texts = kShop;
  texts.header +=
      "template <typename T> T left(T x) { return x; } template <typename T> T right(T x) { return x + 1; }";
  texts.units[0] += "int r() { return right(1); }\n";
  texts.units[1] += "int l() { return left(1); }\n";
  EXPECT_EQ(after(texts, "left(T x) { return x; }", "left(T x) { return x + 10; }"), Spared({false, false, true}));
  texts.header += "\n";
  EXPECT_EQ(after(texts, "left(T x) { return x; }", "left(T x) { return x + 10; }"), Spared({false, false, true}));
}

// Where bodies are, and what is made of them, moves with the text.
TEST(Spared, AgainAndAgain) {
  const std::string line(100, '-');
  const Texts second = with(kShop, "values_.push_back(value);",
                            "values_.push_back(value); /* " + line + " */ values_.push_back(value + 11);");
  const Texts third = with(second, "return values_.size();", "return values_.size() + 1;");
  const Texts fourth = with(third, "return value + 6;", "return value + 66;");
  EXPECT_EQ(spared({kShop, second, third}), Spared({true, false, true}));
  EXPECT_EQ(spared({kShop, second, third, fourth}), Spared({true, true, false}));
  EXPECT_EQ(spared({kShop, second, with(second, "return value + 6;", "return value + 66;")}),
            Spared({true, true, false}));
  EXPECT_EQ(spared({kShop, second, with(second, "        31);", "        32);")}), Spared({true, false, true}));
}

// An edit of the file between two of the header: what was taken over is still made of what it was made of.
TEST(Spared, WhatWasTakenOverCounts) {
  Texts edited = kShop;
  edited.units[1] += "int e() { return 1; }\n";
  EXPECT_EQ(spared({kShop, edited, with(edited, "      41;", "      42;")}), Spared({true, false, true}));
}

TEST(Spared, ErrorsAreSaidAsEver) {
  const Texts wrong = with(kShop, "values_.push_back(value);", "values_.push_back(nothing);");
  EXPECT_EQ(spared({kShop, wrong}), Spared(3, false));
  EXPECT_EQ(spared({kShop, wrong, with(kShop, "values_.push_back(value);", "values_.pop_back();")}),
            Spared({false, true, true}));
  const Texts open = with(kShop, "values_.push_back(value);", "values_.push_back(value); {");
  EXPECT_EQ(spared({kShop, open}), Spared(3, false));
}

TEST(Spared, WarningsOfTheHeaderAreSaidAsEver) {
  const Texts warned = with(kShop, "{ return x + x; }", "{ int unused; return x + x; }");
  EXPECT_EQ(spared({warned, with(warned, "return value + 6;", "return value + 8;")}), Spared(3, false));
}

// Said where it is instantiated, here by a function that nobody calls.
TEST(Spared, WarningsOfInstantiationsAreSaidAsEver) {
  Texts texts = kShop;
  texts.header += "inline int calls() { return chosen(3); }\n";
  const Texts all = with(texts, "return x + 1;", "return x + 2;");
  for (const Texts& before : {texts, all})
    EXPECT_EQ(spared({texts, before, with(before, "return value + 6;", "return value < sizeof(T) ? value : 6;")}),
              Spared(3, false));
}

// Braces in macros of one of the units: another unit's parser cannot say where its bodies end.
TEST(Spared, MacrosThatOpenBraces) {
  Texts texts = kShop;
  texts.header += "#ifndef SPLIT\n#define SPLIT\n#endif\ntemplate <typename T> int cut(T x) { return x; }\n";
  const std::string own = "#define SPLIT } inline int extra() {\n#define OPEN {\n#include \"own.h\"\n" + texts.units[2];
  texts.units[0] += "int u() { return cut(1); }\n";
  std::vector<CompileJob> before = jobs_of(texts, {"-std=c++20"});
  std::vector<CompileJob> now = jobs_of(with(texts, "{ return x; }", "{ SPLIT return 4; }"), {"-std=c++20"});
  for (std::vector<CompileJob>* jobs : {&before, &now}) (*jobs)[2].overlays[1].text = own;
  Compiler compiler;
  compiler.compile_all(before, 2, [](size_t) { return true; });
  const auto made = compiler.compile_all(now, 2, [](size_t) { return true; });
  EXPECT_FALSE(made[2]->as_before);
  for (size_t i = 0; i < now.size(); ++i) expect_equal(*made[i], from_scratch(now[i].command, now[i].overlays));
}

TEST(Spared, OthersWithTheSameFlagsOnly) {
  const Texts next = with(kShop, "values_.push_back(value);", "values_.push_back(value + 1);");
  std::vector<CompileJob> before = jobs_of(kShop, {"-std=c++20"}), now = jobs_of(next, {"-std=c++20"});
  for (std::vector<CompileJob>* jobs : {&before, &now}) (*jobs)[1].command = command_for("/test/1.cc", {"-std=c++17"});
  Compiler compiler;
  compiler.compile_all(before, 1, [](size_t) { return true; });
  const auto made = compiler.compile_all(now, 1, [](size_t) { return true; });
  EXPECT_FALSE(made[0]->as_before);
  EXPECT_FALSE(made[1]->as_before);
  EXPECT_TRUE(made[2]->as_before);
}

// The files of others are not compared word by word.
TEST(Spared, NobodyWhereALibraryChangedToo) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "heddle-spared";
  std::filesystem::create_directories(folder);
  const auto write = [&](const std::string& text) { std::ofstream(folder / "lib.h") << text; };
  Texts texts = kShop;
  texts.header = "#include <lib.h>\n" + texts.header;
  const std::vector<std::string> flags = {"-std=c++20", "-isystem", folder.string()};
  Compiler compiler;
  write("inline int lib() { return 1; }\n");
  compiler.compile_all(jobs_of(texts, flags), 1, [](size_t) { return true; });
  write("inline int lib() { return 2 + 3; }\n");
  const Texts next = with(texts, "values_.push_back(value);", "values_.push_back(value + 1);");
  const auto made = compiler.compile_all(jobs_of(next, flags), 1, [](size_t) { return true; });
  for (const auto& result : made) EXPECT_FALSE(result->as_before);
  std::filesystem::remove_all(folder);
}

TEST(Spared, NobodyWhereALibraryIsUnsaved) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "heddle-spared-unsaved";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "lib.h") << "inline int lib() { return 1; }\n";
  Texts texts = kShop;
  texts.header = "#include <lib.h>\n" + texts.header;
  for (std::string& unit : texts.units) unit += "int u() { return lib(); }\n";
  const std::vector<std::string> flags = {"-std=c++20", "-isystem", folder.string()};
  Compiler compiler;
  compiler.compile_all(jobs_of(texts, flags), 1, [](size_t) { return true; });
  std::vector<CompileJob> now =
      jobs_of(with(texts, "values_.push_back(value);", "values_.push_back(value + 1);"), flags);
  for (CompileJob& job : now) job.overlays.push_back({folder / "lib.h", "inline int lib() { return 2 + 3; }\n"});
  const auto made = compiler.compile_all(now, 1, [](size_t) { return true; });
  for (size_t i = 0; i < now.size(); ++i) {
    EXPECT_FALSE(made[i]->as_before);
    expect_equal(*made[i], from_scratch(now[i].command, now[i].overlays));
  }
  std::filesystem::remove_all(folder);
}

// Each body of two headers of the example gets another statement, one after the other.
TEST(Spared, EveryUnitOfTheExample) {
  const std::filesystem::path folder = std::filesystem::path(HEDDLE_EXAMPLES) / "quoteserver" / "src";
  const auto read = [](const std::filesystem::path& path) {
    std::ifstream file(path);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  std::vector<CompileJob> jobs;
  for (const char* name : {"main.cc", "order.cc", "report.cc", "service.cc", "thread_pool.cc"}) {
    const std::string file = folder / name;
    jobs.push_back({{file, folder, {"c++", "-std=c++17", "-Wall", file}}, {}});
  }
  Compiler compiler;
  compiler.compile_all(jobs, 2, [](size_t) { return true; });
  const std::vector<std::array<std::string, 3>> edits = {
      {"price_cache.h", "    values_.erase(order_.front());\n", "    values_.erase(order_.back());\n"},
      {"price_cache.h", "    return values_.size();\n", "    return values_.size() + 1;\n"},
      {"thread_pool.h", "    enqueue([task] { (*task)(); });\n",
       "    enqueue([task] { (*task)(); });\n    close();\n"}};
  size_t spared = 0;
  for (const auto& [name, from, to] : edits) {
    std::string text = read(folder / name);
    const size_t at = text.find(from.substr(from.find_first_not_of(' ')));
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, from.size() - from.find_first_not_of(' '), to.substr(to.find_first_not_of(' ')));
    std::vector<CompileJob> edited;
    for (const CompileJob& job : jobs)
      if (job.command.file.find("order.cc") == std::string::npos &&
          (name == std::string("price_cache.h") ? job.command.file.find("thread_pool") == std::string::npos : true))
        edited.push_back({job.command, {{folder / name, text}}});
    const auto made = compiler.compile_all(edited, 2, [](size_t) { return true; });
    for (size_t i = 0; i < edited.size(); ++i) {
      SCOPED_TRACE(edited[i].command.file + " after an edit of " + name);
      spared += made[i]->as_before;
      expect_equal(*made[i], from_scratch(edited[i].command, edited[i].overlays));
    }
  }
  EXPECT_GE(spared, 3u);
}

}  // namespace
}  // namespace heddle::frontend
