// doctest, version 2: a test case runs once for each path through its subcases.
#pragma once
#pragma GCC system_header
#include "heddle/expressions.hpp"

#define DOCTEST_VERSION_MAJOR 2

namespace doctest {

using heddle_test::Contains;
// How near is near differs between frameworks.
struct Approx : heddle_test::Approx {
  template <typename T, typename = typename std::enable_if<std::is_constructible<double, T>::value>::type>
  explicit Approx(const T& of) : heddle_test::Approx(static_cast<double>(of), true) {}
  Approx(const heddle_test::Approx& other) : heddle_test::Approx(other) {}
};
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
// Decorators of a name, `"name" * skip()`: those that describe, and those that change what a case is.
struct Describes {};
inline Describes description(const char*) { return {}; }
inline Describes test_suite(const char*) { return {}; }
inline Describes timeout(double) { return {}; }
inline Describes no_breaks(bool = true) { return {}; }
inline Describes no_output(bool = true) { return {}; }
struct Changes {
  bool skips, may, should;
  int failures;
};
inline Changes skip(bool yes = true) { return {yes, false, false, 0}; }
inline Changes may_fail(bool yes = true) { return {false, yes, false, 0}; }
inline Changes should_fail(bool yes = true) { return {false, false, yes, 0}; }
inline Changes expected_failures(int count) { return {false, false, false, count}; }

struct Decorated {
  heddle_test::Expectation expects;
};
inline Decorated operator*(Decorated made, const Changes& change) {
  if (change.skips) made.expects.skipped = true;
  if (change.may) made.expects.may_fail("may_fail()");
  if (change.should) made.expects.should_fail("should_fail()");
  if (change.failures > 0) {
    made.expects.may_fail("expected_failures()");
    made.expects.at_least = made.expects.at_most = change.failures;
  }
  return made;
}
inline Decorated operator*(const char*, const Changes& change) { return Decorated() * change; }
inline Decorated operator*(const Decorated& made, Describes) { return made; }
inline const char* operator*(const char* name, Describes) { return name; }
inline heddle_test::Expectation expects(const char*) { return {}; }
inline heddle_test::Expectation expects(const Decorated& made) { return made.expects; }
char only_described(const char*);  // a suite whose decorators change its cases does not compile with the model
static const bool is_running_in_test = true;
// How a test says what its values look like. doctest asks only when a check fails, which ends the path.
template <typename T>
struct StringMaker {
  static String convert(const T& value) {
    heddle_test::Text text;
    heddle_test::print(text, value);
    return text.data;
  }
};
template <typename T>
String toString(const T& value) {
  return StringMaker<T>::convert(value);
}

}  // namespace doctest

#if defined(DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN)
int main(int argc, char** argv) { return doctest::Context(argc, argv).run(); }
#endif

// A case is known by the text of its name and decorators; the front end takes it apart.
#define HEDDLE_DOCTEST_CASE(line, name) HEDDLE_CASE_WITH_BODY(line, "=" HEDDLE_TEXT(name), ::doctest::expects(name))
#define HEDDLE_DOCTEST_FIXTURE(line, fixture, name) \
  HEDDLE_CASE_WITH_FIXTURE(line, "=" HEDDLE_TEXT(name), fixture, ::doctest::expects(name))
#define HEDDLE_DOCTEST_COMPARE(kind, macro, Comparison, a, b) \
  HEDDLE_KIND_##kind(macro "(" #a ", " #b ")", (::heddle_test::compare<::heddle_test::Comparison>(a, b)))

#include "heddle/doctest_macros.hpp"
#if !defined(DOCTEST_CONFIG_NO_SHORT_MACRO_NAMES)
#include "heddle/doctest_short.hpp"
#endif
