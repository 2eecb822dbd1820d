#include "server/engine/written_tests.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

namespace heddle::engine {
namespace {

namespace fs = std::filesystem;

constexpr size_t kFrameworks = 4;
constexpr std::string_view kDefining = "extern \"C\" void heddle_driver_", kDefined = "static void heddle_driver_";
constexpr std::string_view kMain = "\n#ifdef __HEDDLE__\nvoid heddle_run_case(void)";

std::optional<TestFramework> framework_of(std::string_view header) {
  const auto has = [&](std::string_view part) { return header.find(part) != std::string_view::npos; };
  if (has("gtest/gtest.h") || has("gmock/gmock.h")) return TestFramework::GoogleTest;
  if (has("catch2/") || has("catch.hpp") || has("catch_amalgamated.hpp")) return TestFramework::Catch2;
  if (has("doctest.h")) return TestFramework::Doctest;
  if (has("boost/test/")) return TestFramework::BoostTest;
  return std::nullopt;
}

// The header that has the framework's macros, where a file may name one that has not.
std::string main_header(TestFramework framework, const std::string& named) {
  const auto has = [&](std::string_view part) { return named.find(part) != std::string::npos; };
  switch (framework) {
    case TestFramework::GoogleTest: return "<gtest/gtest.h>";
    case TestFramework::Catch2:
      return has("catch2/") && !has("catch.hpp") && !has("catch_all.hpp") ? "<catch2/catch_test_macros.hpp>" : named;
    case TestFramework::Doctest: return named;
    case TestFramework::BoostTest:
      return has("/included/") ? "<boost/test/included/unit_test.hpp>" : "<boost/test/unit_test.hpp>";
  }
  return named;
}

// What makes a file the one with the framework's main().
bool is_of_main(std::string_view name) {
  constexpr std::string_view kNames[] = {"CATCH_CONFIG_MAIN", "DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN", "BOOST_TEST_MODULE",
                                         "BOOST_TEST_MAIN"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

struct TestFile {
  std::optional<TestFramework> framework;
  std::string header;
  std::string defines;  // lines
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// What follows the directive on its line; nothing: it is another line.
std::optional<std::string_view> after_directive(std::string_view line, std::string_view directive) {
  if (!line.starts_with('#')) return std::nullopt;
  line = trimmed(line.substr(1));
  if (!line.starts_with(directive)) return std::nullopt;
  return trimmed(line.substr(directive.size()));
}

void look_at_line(std::string_view line, TestFile& file) {
  if (const auto included = after_directive(line, "include"); included && included->size() > 2) {
    const size_t end = included->find(included->front() == '<' ? '>' : '"', 1);
    const std::string header(included->substr(0, end == std::string_view::npos ? end : end + 1));
    const auto framework = framework_of(header);
    if (!framework || (file.framework && file.framework != framework)) return;
    file.framework = framework;
    file.header = main_header(*framework, file.header.empty() ? header : file.header);
  } else if (const auto defined = after_directive(line, "define")) {
    const std::string_view name = defined->substr(0, defined->find_first_of(" \t("));
    if (is_of_main(name)) file.defines += "#define " + std::string(name) + "\n";
    if (name == "BOOST_TEST_DYN_LINK") file.defines += "#define BOOST_TEST_DYN_LINK\n";
  }
}

TestFile look_at(std::string_view text) {
  TestFile file;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    look_at_line(trimmed(text.substr(at, end - at)), file);
    at = end + 1;
  }
  return file;
}

std::string named_from(const std::string& folder, const std::string& header, const std::string& file,
                       const std::function<bool(const std::string&)>& is_file) {
  if (!header.starts_with('"')) return header;
  const fs::path there = (fs::path(file).parent_path() / header.substr(1, header.size() - 2)).lexically_normal();
  if (!is_file(there.string())) return header;  // found in a folder of the command's
  const std::string path = there.lexically_relative(folder).string();
  return "\"" + (path.empty() ? there.string() : path) + "\"";
}

// Drivers of a text: the namespace and name of each, and whether it may wait for ever.
struct Written {
  std::string function, subject, calls;
  bool may_wait = false;
};

std::vector<Written> drivers_in(std::string_view text) {
  std::vector<Written> result;
  for (size_t at = text.find(kDefining); at != std::string_view::npos; at = text.find(kDefining, at + 1)) {
    const size_t begin = at + kDefining.size() - std::string_view("heddle_driver_").size();
    const std::string name(text.substr(begin, text.find('(', begin) - begin));
    const std::string full = name.substr(std::string_view("heddle_driver_").size());
    const size_t space = text.rfind("\nnamespace ", at);
    if (space == std::string_view::npos) continue;
    const size_t of = space + std::string_view("\nnamespace ").size();
    Written one;
    one.function = std::string(text.substr(of, text.find(' ', of) - of)) + "::" + name;
    const size_t bars = full.find("__");
    one.subject = full.substr(0, bars);
    one.calls = bars == std::string::npos ? "calls" : full.substr(bars + 2);
    one.may_wait = text.find("heddle_apart(" + one.function + ")") != std::string_view::npos;
    result.push_back(std::move(one));
  }
  return result;
}

std::string heading_of(const Written& driver, TestFramework framework) {
  switch (framework) {
    case TestFramework::GoogleTest: return "TEST(" + driver.subject + ", " + driver.calls + ")";
    case TestFramework::BoostTest: return "BOOST_AUTO_TEST_CASE(" + driver.calls + ")";
    default: return "TEST_CASE(\"" + driver.subject + "." + driver.calls + "\")";
  }
}

std::string cases_of(const std::vector<Written>& drivers, TestFramework framework) {
  const bool suites = framework == TestFramework::BoostTest;
  std::string text, suite;
  for (const Written& driver : drivers) {
    if (suites && driver.subject != suite) {
      text += std::string(suite.empty() ? "" : "BOOST_AUTO_TEST_SUITE_END()\n") + "BOOST_AUTO_TEST_SUITE(" +
              driver.subject + ")\n";
      suite = driver.subject;
    }
    text += heading_of(driver, framework) + " { heddle_repeat(" + driver.function + ", " +
            (driver.may_wait ? "1" : "0") + "); }\n";
  }
  return text + (suite.empty() ? "" : "BOOST_AUTO_TEST_SUITE_END()\n");
}

// Heddle explores a driver; compiled natively, a test runs it many times.
std::string repeat_text(bool any_waits) {
  return std::string("static void heddle_repeat(void (*driver)(void), int may_wait) {\n#ifdef __HEDDLE__\n") +
         "  (void)may_wait;\n  driver();\n#else\n" +
         (any_waits ? "  if (may_wait) {\n    heddle_apart(driver);\n    return;\n  }\n" : "  (void)may_wait;\n") +
         "  for (int round = 0; round < 1000; ++round) driver();\n#endif\n}\n";
}

}  // namespace

std::optional<TestStyle> test_style_of(const std::vector<std::pair<std::string, std::string>>& files,
                                       const std::string& folder,
                                       const std::function<bool(const std::string&)>& is_file) {
  std::array<std::vector<std::pair<std::string, TestFile>>, kFrameworks> found;
  for (const auto& [path, text] : files)
    if (TestFile file = look_at(text); file.framework)
      found[static_cast<size_t>(*file.framework)].emplace_back(path, std::move(file));
  const auto most =
      std::max_element(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
  if (most->empty()) return std::nullopt;
  const auto& [path, first] = most->front();
  TestStyle style{*first.framework, named_from(folder, first.header, path, is_file), {}};
  const bool each_alone = most->size() > 1 && std::all_of(most->begin(), most->end(),
                                                          [](const auto& one) { return !one.second.defines.empty(); });
  if (each_alone)
    style.defines = first.defines;
  else if (style.framework == TestFramework::BoostTest)
    style.header = "<boost/test/unit_test.hpp>";  // the header with main() is for one file of a program
  return style;
}

std::string as_tests(const std::string& drivers, const TestStyle& style) {
  const size_t end = drivers.rfind(kMain);
  const std::vector<Written> found = drivers_in(drivers);
  if (end == std::string::npos || found.empty()) return drivers;
  std::string text = drivers.substr(0, end + 1);
  for (size_t at = text.find(kDefining); at != std::string::npos; at = text.find(kDefining, at))
    text.replace(at, kDefining.size(), kDefined);
  const bool any_waits = std::any_of(found.begin(), found.end(), [](const Written& one) { return one.may_wait; });
  std::string defines = style.defines;
  if (const size_t at = defines.find("BOOST_TEST_MODULE\n"); at != std::string::npos)
    defines.insert(at + std::string_view("BOOST_TEST_MODULE").size(), " " + found.front().subject);
  return text + defines + "#include " + style.header + "\n\n" + repeat_text(any_waits) +
         cases_of(found, style.framework);
}

}  // namespace heddle::engine
