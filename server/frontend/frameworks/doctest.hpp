// doctest, version 2: a test case runs once for each path through its subcases.
#pragma once
#pragma GCC system_header
#include "heddle/expressions.hpp"

#define DOCTEST_VERSION_MAJOR 2

namespace doctest {

using heddle_test::Approx;
using String = std::string;

class Context {
 public:
  Context() {}
  Context(int, const char* const*) {}
  void applyCommandLine(int, const char* const*) {}
  template <typename T>
  void setOption(const char*, const T&) {}
  template <typename T>
  void addFilter(const char*, const T&) {}
  void clearFilters() {}
  void setAsDefaultForAssertsOutOfTestCases() {}
  bool shouldExit() const { return false; }
  int run() {
    heddle_run_case();
    return 0;
  }
};

template <typename... T>
struct Types {};
// Decorators select and describe; they change no case.
inline const char* skip(bool = true) { return ""; }
inline const char* timeout(double) { return ""; }
inline const char* description(const char*) { return ""; }
inline const char* test_suite(const char*) { return ""; }

}  // namespace doctest

#if defined(DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN)
int main(int argc, char** argv) { return doctest::Context(argc, argv).run(); }
#endif

#define DOCTEST_TEST_CASE(name) HEDDLE_DOCTEST_CASE(__LINE__, name)
#define HEDDLE_DOCTEST_CASE(line, name) HEDDLE_CASE_WITH_BODY(line, name)
#define DOCTEST_TEST_CASE_FIXTURE(fixture, name) HEDDLE_DOCTEST_FIXTURE(__LINE__, fixture, name)
#define HEDDLE_DOCTEST_FIXTURE(line, fixture, name) HEDDLE_CASE_WITH_FIXTURE(line, name, fixture)
#define DOCTEST_SUBCASE(name) HEDDLE_SECTION(__LINE__, name)
#define DOCTEST_TEST_SUITE(...) namespace
#define DOCTEST_TEST_SUITE_BEGIN(...) static_assert(true, "")
#define DOCTEST_TEST_SUITE_END static_assert(true, "")

#define DOCTEST_REQUIRE(...) HEDDLE_CHECK_EXPRESSION("REQUIRE", __VA_ARGS__)
#define DOCTEST_CHECK(...) HEDDLE_CHECK_EXPRESSION("CHECK", __VA_ARGS__)
#define DOCTEST_WARN(...) static_cast<void>(__VA_ARGS__)
#define DOCTEST_REQUIRE_FALSE(...) HEDDLE_CHECK_NOT("REQUIRE_FALSE", __VA_ARGS__)
#define DOCTEST_CHECK_FALSE(...) HEDDLE_CHECK_NOT("CHECK_FALSE", __VA_ARGS__)
#define HEDDLE_DOCTEST_SAID(what, outcome, ...)                                          \
  do {                                                                                   \
    if (const ::heddle_test::Outcome heddle_outcome = outcome) {                         \
    } else                                                                               \
      ::heddle_test::Failure(what, heddle_outcome) = ::heddle_test::Message() << __VA_ARGS__; \
  } while (false)
#define DOCTEST_REQUIRE_MESSAGE(condition, ...) \
  HEDDLE_DOCTEST_SAID("REQUIRE_MESSAGE(" #condition ")", ::heddle_test::Outcome(static_cast<bool>(condition)), __VA_ARGS__)
#define DOCTEST_CHECK_MESSAGE(condition, ...) \
  HEDDLE_DOCTEST_SAID("CHECK_MESSAGE(" #condition ")", ::heddle_test::Outcome(static_cast<bool>(condition)), __VA_ARGS__)

#define HEDDLE_DOCTEST_COMPARE(macro, Comparison, a, b) \
  HEDDLE_CHECK(macro "(" #a ", " #b ")", (::heddle_test::compare<::heddle_test::Comparison>(a, b)))
#define DOCTEST_REQUIRE_EQ(a, b) HEDDLE_DOCTEST_COMPARE("REQUIRE_EQ", Equal, a, b)
#define DOCTEST_CHECK_EQ(a, b) HEDDLE_DOCTEST_COMPARE("CHECK_EQ", Equal, a, b)
#define DOCTEST_REQUIRE_NE(a, b) HEDDLE_DOCTEST_COMPARE("REQUIRE_NE", NotEqual, a, b)
#define DOCTEST_CHECK_NE(a, b) HEDDLE_DOCTEST_COMPARE("CHECK_NE", NotEqual, a, b)
#define DOCTEST_REQUIRE_LT(a, b) HEDDLE_DOCTEST_COMPARE("REQUIRE_LT", Less, a, b)
#define DOCTEST_CHECK_LT(a, b) HEDDLE_DOCTEST_COMPARE("CHECK_LT", Less, a, b)
#define DOCTEST_REQUIRE_LE(a, b) HEDDLE_DOCTEST_COMPARE("REQUIRE_LE", LessEqual, a, b)
#define DOCTEST_CHECK_LE(a, b) HEDDLE_DOCTEST_COMPARE("CHECK_LE", LessEqual, a, b)
#define DOCTEST_REQUIRE_GT(a, b) HEDDLE_DOCTEST_COMPARE("REQUIRE_GT", Greater, a, b)
#define DOCTEST_CHECK_GT(a, b) HEDDLE_DOCTEST_COMPARE("CHECK_GT", Greater, a, b)
#define DOCTEST_REQUIRE_GE(a, b) HEDDLE_DOCTEST_COMPARE("REQUIRE_GE", GreaterEqual, a, b)
#define DOCTEST_CHECK_GE(a, b) HEDDLE_DOCTEST_COMPARE("CHECK_GE", GreaterEqual, a, b)
#define DOCTEST_CHECK_UNARY(...) DOCTEST_CHECK(__VA_ARGS__)
#define DOCTEST_REQUIRE_UNARY(...) DOCTEST_REQUIRE(__VA_ARGS__)
#define DOCTEST_CHECK_UNARY_FALSE(...) DOCTEST_CHECK_FALSE(__VA_ARGS__)
#define DOCTEST_REQUIRE_UNARY_FALSE(...) DOCTEST_REQUIRE_FALSE(__VA_ARGS__)

#define DOCTEST_REQUIRE_THROWS(...) HEDDLE_CHECK_THROWS("REQUIRE_THROWS(" #__VA_ARGS__ ")", (__VA_ARGS__), true)
#define DOCTEST_CHECK_THROWS(...) HEDDLE_CHECK_THROWS("CHECK_THROWS(" #__VA_ARGS__ ")", (__VA_ARGS__), true)
#define DOCTEST_REQUIRE_NOTHROW(...) HEDDLE_CHECK_THROWS("REQUIRE_NOTHROW(" #__VA_ARGS__ ")", (__VA_ARGS__), false)
#define DOCTEST_CHECK_NOTHROW(...) HEDDLE_CHECK_THROWS("CHECK_NOTHROW(" #__VA_ARGS__ ")", (__VA_ARGS__), false)
#define DOCTEST_REQUIRE_THROWS_AS(statement, type) \
  HEDDLE_CHECK_THROWS_AS("REQUIRE_THROWS_AS(" #statement ", " #type ")", (statement), type)
#define DOCTEST_CHECK_THROWS_AS(statement, type) \
  HEDDLE_CHECK_THROWS_AS("CHECK_THROWS_AS(" #statement ", " #type ")", (statement), type)
#define DOCTEST_REQUIRE_THROWS_WITH(statement, text) \
  HEDDLE_CHECK_THROWS_WITH("REQUIRE_THROWS_WITH(" #statement ", " #text ")", (statement), text)
#define DOCTEST_CHECK_THROWS_WITH(statement, text) \
  HEDDLE_CHECK_THROWS_WITH("CHECK_THROWS_WITH(" #statement ", " #text ")", (statement), text)

#define DOCTEST_FAIL(...) HEDDLE_FAIL("FAIL", __VA_ARGS__)
#define DOCTEST_FAIL_CHECK(...) HEDDLE_FAIL("FAIL_CHECK", __VA_ARGS__)
#define DOCTEST_MESSAGE(...) static_cast<void>(::heddle_test::Message() << __VA_ARGS__)
#define DOCTEST_INFO(...) static_cast<void>(0)
#define DOCTEST_CAPTURE(...) static_cast<void>(0)

#if !defined(DOCTEST_CONFIG_NO_SHORT_MACRO_NAMES)
#include "heddle/doctest_macros.hpp"
#endif
