// Files and functions are short: what is longer is a table, or stands in a list of what has to be split yet.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/architecture/repository.h"

namespace heddle::architecture {
namespace {

constexpr size_t kLinesMax = 500, kFunctionLinesMax = 60;
const std::set<std::string> kSources = {".h", ".cc", ".def", ".py", ".mjs", ".js", ".ts"};

// Tables: one case or row after the other, each short.
const std::map<std::string, std::set<std::string>> kTables = {
    {"server/frontend/command/compile_command.cc", {"drops_one"}},
    {"server/frontend/lower/lower_intrinsic.cc", {"lower_float_intrinsic", "lower_intrinsic"}},
    {"server/machine/code/decode.cc", {"emit_binary"}},
    {"server/machine/interpreter.cc", {"run"}},
    {"server/machine/library/math.cc", {"HEDDLE_MATH"}},
    {"tests/explore/random_toy.h", {"random_program"}},
    {"tests/explore/toy.h", {"pending", "perform"}},
    {"tests/frontend/evaluator.cc", {"run"}},
    {"tests/judge/project_layout.cc", {"place"}},
    {"tests/native/generate_main.cc", {"statement"}},
};

// Programs that Heddle checks, not code of its own.
bool is_example(const std::string& path) {
  for (const char* folder : {"tests/native/library/", "tests/programs/", "tests/outcomes/", "tests/litmus/",
                             "tests/clear/", "tests/stories/", "tests/frameworks/", "tests/torture/"})
    if (path.starts_with(folder)) return true;
  return false;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// The end of what begins at `at` and is no code: a comment, a string, a character, a preprocessor line. Else `at`.
size_t end_of_no_code(std::string_view text, size_t at) {
  const auto to = [&](std::string_view end, size_t from) {
    const size_t found = text.find(end, from);
    return found == text.npos ? text.size() : found + end.size();
  };
  if (text.substr(at, 2) == "//") return to("\n", at) - 1;
  if (text.substr(at, 2) == "/*") return to("*/", at + 2);
  if (text.substr(at, 2) == "R\"") {
    const size_t open = text.find('(', at);
    return to(")" + std::string(text.substr(at + 2, open - at - 2)) + "\"", open);
  }
  const bool in_number = at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1]));
  if (text[at] == '"' || (text[at] == '\'' && !in_number)) {
    size_t end = at + 1;
    while (end < text.size() && text[end] != text[at] && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
    return end + 1;
  }
  if (text[at] == '#' && (at == 0 || text[at - 1] == '\n')) {
    size_t end = text.find('\n', at);
    while (end != text.npos && text[end - 1] == '\\') end = text.find('\n', end + 1);
    return end == text.npos ? text.size() : end;
  }
  return at;
}

struct LongFunction {
  std::string name;
  size_t line = 0, lines = 0;
};

// "std::vector<int> Thing::names(int n) const" -> "names"; empty: the braces hold no function.
std::string name_in(const std::string& head) {
  const size_t open = head.find('(');
  if (open == head.npos || head.starts_with("namespace") || head.starts_with("enum") || head.ends_with("=")) return "";
  size_t begin = open;
  while (begin > 0 && (std::isalnum(static_cast<unsigned char>(head[begin - 1])) || head[begin - 1] == '_')) --begin;
  return head.substr(begin, open - begin);
}

// Functions outside other functions, by their braces: the head is what stands since the last brace or semicolon.
std::vector<LongFunction> long_functions(std::string_view text) {
  struct Scope {
    std::string function;  // empty: a namespace, a class, an initialiser
    size_t line;
  };
  std::vector<LongFunction> found;
  std::vector<Scope> scopes;
  size_t line = 1, head_line = 0, functions = 0;
  std::string head;
  for (size_t at = 0; at < text.size();) {
    if (const size_t end = std::min(end_of_no_code(text, at), text.size()); end > at) {
      for (; at < end; ++at) line += text[at] == '\n';
      continue;
    }
    const char c = text[at++];
    if (c == '{') {
      while (!head.empty() && head.back() == ' ') head.pop_back();
      scopes.push_back({functions == 0 ? name_in(head) : "", head_line});
      functions += !scopes.back().function.empty();
    } else if (c == '}' && !scopes.empty()) {
      const Scope scope = scopes.back();
      scopes.pop_back();
      functions -= !scope.function.empty();
      if (!scope.function.empty() && line - scope.line + 1 > kFunctionLinesMax)
        found.push_back({scope.function, scope.line, line - scope.line + 1});
    }
    if (c == '{' || c == '}' || c == ';') {
      head.clear();
      continue;
    }
    const bool space = c == ' ' || c == '\n';
    if (head.empty() && !space) head_line = line;
    if (!head.empty() || !space) head += c == '\n' ? ' ' : c;
    line += c == '\n';
  }
  return found;
}

TEST(Sizes, FilesAreShort) {
  for (const fs::path& path : sources({"server", "client", "tests", "benchmarks"}, kSources))
    EXPECT_LE(lines_of(kRoot / path).size(), kLinesMax) << path << ": split it by idea";
}

// The stage with the most code: what has an idea of its own is in one of its parts.
TEST(Sizes, TheMachineKeepsToItsParts) {
  size_t own = 0;
  for (const fs::path& path : sources({"server/machine"}, {".h", ".cc", ".def"}))
    own += path.parent_path() == "server/machine";
  EXPECT_GT(own, 20u);
  EXPECT_LE(own, 45u);
}

TEST(Sizes, FunctionsAreShort) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const fs::path& path : sources({"server", "client", "tests", "benchmarks"}, {".h", ".cc"})) {
    if (is_example(path.string())) continue;
    for (const LongFunction& function : long_functions(joined(lines_of(kRoot / path)))) {
      seen.insert({path.string(), function.name});
      const auto entry = kTables.find(path.string());
      EXPECT_TRUE(entry != kTables.end() && entry->second.count(function.name) > 0)
          << path << ":" << function.line << ": " << function.name << " has " << function.lines << " lines, more than "
          << kFunctionLinesMax << ": split it by idea";
    }
  }
  for (const auto& [path, names] : kTables)
    for (const std::string& name : names)
      EXPECT_TRUE(seen.count({path, name})) << path << ": " << name << " is short now or gone: take it out of the list";
}

std::string function_of(size_t lines, const std::string& head) {
  std::string text = head + " {\n";
  for (size_t n = 2; n < lines; ++n) text += "  if (x) { y = \"}\"; }  // }\n";
  return text + "}\n";
}

TEST(Sizes, TheMeasureCountsFromTheHeadToTheBrace) {
  EXPECT_TRUE(long_functions(function_of(60, "int f(int n)")).empty());
  const std::vector<LongFunction> found =
      long_functions("namespace a {\n" + function_of(61, "int B::f(int n) const") + "}");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].name, "f");
  EXPECT_EQ(found[0].line, 2u);
  EXPECT_EQ(found[0].lines, 61u);
  EXPECT_EQ(long_functions("class A {\n" + function_of(61, "  A(int n)") + "};\n").size(), 1u);
  EXPECT_EQ(long_functions(function_of(60, "template <typename T>\nint f(T n)")).size(), 1u);
  EXPECT_TRUE(long_functions(function_of(100, "struct Table")).empty());
  EXPECT_TRUE(long_functions("const char* kText = R\"x(" + function_of(100, "int f(int n)") + ")x\";\n").empty());
}

}  // namespace
}  // namespace heddle::architecture
