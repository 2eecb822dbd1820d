// Drivers that are kept as tests of the framework that the project's tests use.
//
// In:      the texts of a project's files; the text of drivers, as server/frontend/harness writes it.
// Out:     the same text with a test case per driver in the place of main(). What stands above keeps its lines.
// Owns:    nothing.
// Threads: any.
// Fails:   never; where there is nothing to write, the text stays as it is.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::engine {

enum class TestFramework : uint8_t { GoogleTest, Catch2, Doctest, BoostTest };

struct TestStyle {
  TestFramework framework = TestFramework::GoogleTest;
  std::string header;   // as the project's tests name it: <gtest/gtest.h>, "doctest.h"
  std::string defines;  // lines: each test file of the project is a program of its own, and so is this one
  bool operator==(const TestStyle&) const = default;
};

// The framework that most of the files use; nothing: none does. A header next to the file that names it is named from
// `folder`; `is_file` says whether a path is one.
std::optional<TestStyle> test_style_of(const std::vector<std::pair<std::string, std::string>>& files,
                                       const std::string& folder,
                                       const std::function<bool(const std::string&)>& is_file);

// As the framework names it. REQUIRES drivers in C++.
std::string as_tests(const std::string& drivers, const TestStyle& style);

}  // namespace heddle::engine
