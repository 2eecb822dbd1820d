// Boost.Test with automatic registration: each test case is a class with its fixture, in the namespaces of its suites.
#pragma once
#pragma GCC system_header
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iosfwd>

#include "heddle/checks.hpp"

#pragma clang diagnostic ignored "-Woverloaded-shift-op-parentheses"

#define BOOST_TEST_UNIT_TEST_HPP_071894GER

namespace heddle_boost {

struct NoFixture {};
template <typename Case>
void run_case() {
  Case test;
  test.test_method();
}
// "outcome" of BOOST_TEST(expression, message)
inline heddle_test::Outcome outcome_of(const heddle_test::Outcome& outcome) { return outcome; }
template <typename... T>
heddle_test::Outcome outcome_of(const heddle_test::Outcome& outcome, const T&...) {
  return outcome;
}
}  // namespace heddle_boost

namespace boost {
namespace test_tools {
struct tolerance {
  template <typename T>
  explicit tolerance(T) {}
};
}  // namespace test_tools
namespace unit_test {
struct label {
  explicit label(const char*) {}
};
struct description {
  explicit description(const char*) {}
};
struct timeout {
  explicit timeout(unsigned) {}
};
}  // namespace unit_test
}  // namespace boost
typedef heddle_boost::NoFixture BOOST_AUTO_TEST_CASE_FIXTURE;

#if (defined(BOOST_TEST_MODULE) || defined(BOOST_TEST_MAIN)) && !defined(BOOST_TEST_NO_MAIN)
int main() {
  heddle_run_case();
  return 0;
}
#endif

#define BOOST_AUTO_TEST_SUITE(name, ...) namespace name {
#define BOOST_FIXTURE_TEST_SUITE(name, fixture, ...) \
  namespace name {                                   \
  typedef fixture BOOST_AUTO_TEST_CASE_FIXTURE;
#define BOOST_AUTO_TEST_SUITE_END() }
#define BOOST_FIXTURE_TEST_CASE(name, fixture, ...)                                      \
  struct name : public fixture {                                                         \
    void test_method();                                                                  \
    __attribute__((used)) static void heddle_boost_case() { ::heddle_boost::run_case<name>(); } \
  };                                                                                     \
  void name::test_method()
#define BOOST_AUTO_TEST_CASE(name, ...) BOOST_FIXTURE_TEST_CASE(name, BOOST_AUTO_TEST_CASE_FIXTURE)
#define BOOST_TEST_CONTEXT(...) if (::heddle_test::always())
#define BOOST_GLOBAL_FIXTURE(type) static type HEDDLE_JOIN(type, _heddle_fixture)
#define BOOST_TEST_GLOBAL_FIXTURE(type) BOOST_GLOBAL_FIXTURE(type)

#define HEDDLE_BOOST_CHECK(what, outcome)                                                \
  do {                                                                                   \
    if (const ::heddle_test::Outcome heddle_outcome = outcome) {                         \
    } else                                                                               \
      ::heddle_test::Failure(what, heddle_outcome) = ::heddle_test::Message();           \
  } while (false)
#define HEDDLE_BOOST_BOOL(macro, ...) \
  HEDDLE_BOOST_CHECK(macro "(" #__VA_ARGS__ ")", ::heddle_test::Outcome(static_cast<bool>(__VA_ARGS__)))
#define HEDDLE_BOOST_COMPARE(macro, Comparison, a, b) \
  HEDDLE_BOOST_CHECK(macro "(" #a ", " #b ")", (::heddle_test::compare<::heddle_test::Comparison>(a, b)))
#define BOOST_TEST(...)        \
  HEDDLE_BOOST_CHECK("BOOST_TEST(" #__VA_ARGS__ ")", \
                     ::heddle_boost::outcome_of(::heddle_test::Decomposer() << __VA_ARGS__))
#define BOOST_TEST_REQUIRE(...) BOOST_TEST(__VA_ARGS__)
#define BOOST_CHECK(...) HEDDLE_BOOST_BOOL("BOOST_CHECK", __VA_ARGS__)
#define BOOST_REQUIRE(...) HEDDLE_BOOST_BOOL("BOOST_REQUIRE", __VA_ARGS__)
#define BOOST_WARN(...) static_cast<void>(__VA_ARGS__)
#define HEDDLE_BOOST_SAID(what, condition, said)                                         \
  do {                                                                                   \
    if (condition) {                                                                     \
    } else                                                                               \
      ::heddle_test::Failure(what, ::heddle_test::Outcome(false)) = ::heddle_test::Message() << said; \
  } while (false)
#define BOOST_CHECK_MESSAGE(condition, said) HEDDLE_BOOST_SAID("BOOST_CHECK_MESSAGE(" #condition ")", condition, said)
#define BOOST_REQUIRE_MESSAGE(condition, said) \
  HEDDLE_BOOST_SAID("BOOST_REQUIRE_MESSAGE(" #condition ")", condition, said)
#define BOOST_CHECK_EQUAL(a, b) HEDDLE_BOOST_COMPARE("BOOST_CHECK_EQUAL", Equal, a, b)
#define BOOST_REQUIRE_EQUAL(a, b) HEDDLE_BOOST_COMPARE("BOOST_REQUIRE_EQUAL", Equal, a, b)
#define BOOST_CHECK_NE(a, b) HEDDLE_BOOST_COMPARE("BOOST_CHECK_NE", NotEqual, a, b)
#define BOOST_REQUIRE_NE(a, b) HEDDLE_BOOST_COMPARE("BOOST_REQUIRE_NE", NotEqual, a, b)
#define BOOST_CHECK_LT(a, b) HEDDLE_BOOST_COMPARE("BOOST_CHECK_LT", Less, a, b)
#define BOOST_REQUIRE_LT(a, b) HEDDLE_BOOST_COMPARE("BOOST_REQUIRE_LT", Less, a, b)
#define BOOST_CHECK_LE(a, b) HEDDLE_BOOST_COMPARE("BOOST_CHECK_LE", LessEqual, a, b)
#define BOOST_REQUIRE_LE(a, b) HEDDLE_BOOST_COMPARE("BOOST_REQUIRE_LE", LessEqual, a, b)
#define BOOST_CHECK_GT(a, b) HEDDLE_BOOST_COMPARE("BOOST_CHECK_GT", Greater, a, b)
#define BOOST_REQUIRE_GT(a, b) HEDDLE_BOOST_COMPARE("BOOST_REQUIRE_GT", Greater, a, b)
#define BOOST_CHECK_GE(a, b) HEDDLE_BOOST_COMPARE("BOOST_CHECK_GE", GreaterEqual, a, b)
#define BOOST_REQUIRE_GE(a, b) HEDDLE_BOOST_COMPARE("BOOST_REQUIRE_GE", GreaterEqual, a, b)
#define HEDDLE_BOOST_CLOSE(macro, a, b, percent)                                         \
  HEDDLE_BOOST_CHECK(macro "(" #a ", " #b ")",                                           \
                     ::heddle_test::near_to(a, b, std::fabs(static_cast<double>(b)) * (percent) / 100))
#define BOOST_CHECK_CLOSE(a, b, percent) HEDDLE_BOOST_CLOSE("BOOST_CHECK_CLOSE", a, b, percent)
#define BOOST_REQUIRE_CLOSE(a, b, percent) HEDDLE_BOOST_CLOSE("BOOST_REQUIRE_CLOSE", a, b, percent)
#define BOOST_CHECK_SMALL(a, most) HEDDLE_BOOST_CHECK("BOOST_CHECK_SMALL(" #a ")", ::heddle_test::near_to(a, 0, most))

#define HEDDLE_BOOST_THROW(macro, statement, type, condition)                            \
  HEDDLE_BOOST_CHECK(macro "(" #statement ")", ::heddle_test::Outcome([&]() -> bool {    \
    try {                                                                                \
      if (::heddle_test::always()) {                                                     \
        statement;                                                                       \
      }                                                                                  \
    } catch (type const& heddle_thrown) {                                                \
      static_cast<void>(heddle_thrown);                                                  \
      return condition;                                                                  \
    } catch (...) {                                                                      \
    }                                                                                    \
    return false;                                                                        \
  }()))
#define BOOST_CHECK_THROW(statement, type) HEDDLE_BOOST_THROW("BOOST_CHECK_THROW", statement, type, true)
#define BOOST_REQUIRE_THROW(statement, type) HEDDLE_BOOST_THROW("BOOST_REQUIRE_THROW", statement, type, true)
#define BOOST_CHECK_EXCEPTION(statement, type, holds) \
  HEDDLE_BOOST_THROW("BOOST_CHECK_EXCEPTION", statement, type, holds(heddle_thrown))
#define HEDDLE_BOOST_NO_THROW(macro, statement)                                          \
  HEDDLE_BOOST_CHECK(macro "(" #statement ")", ::heddle_test::Outcome([&]() -> bool {    \
    try {                                                                                \
      if (::heddle_test::always()) {                                                     \
        statement;                                                                       \
      }                                                                                  \
    } catch (...) {                                                                      \
      return false;                                                                      \
    }                                                                                    \
    return true;                                                                         \
  }()))
#define BOOST_CHECK_NO_THROW(statement) HEDDLE_BOOST_NO_THROW("BOOST_CHECK_NO_THROW", statement)
#define BOOST_REQUIRE_NO_THROW(statement) HEDDLE_BOOST_NO_THROW("BOOST_REQUIRE_NO_THROW", statement)

#define HEDDLE_BOOST_FAIL(what, said) \
  ::heddle_test::Failure(what, ::heddle_test::Outcome(false)) = ::heddle_test::Message() << said
#define BOOST_ERROR(said) HEDDLE_BOOST_FAIL("BOOST_ERROR", said)
#define BOOST_FAIL(said) HEDDLE_BOOST_FAIL("BOOST_FAIL", said)
#define BOOST_TEST_MESSAGE(said) static_cast<void>(::heddle_test::Message() << said)
#define BOOST_TEST_CHECKPOINT(said) static_cast<void>(0)
#define BOOST_TEST_PASSPOINT() static_cast<void>(0)
#define BOOST_TEST_INFO(said) static_cast<void>(0)
