// What Catch2 and doctest share: expressions taken apart, test cases with sections, checks of exceptions.
#pragma once
#pragma GCC system_header
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iosfwd>
#include <string>
#include <vector>

#include "heddle/checks.hpp"

#pragma clang diagnostic ignored "-Woverloaded-shift-op-parentheses"

// Behind it the body of the case. The functions' names hold a line; the front end drops it from names.
#define HEDDLE_CASE_WITH_BODY(line, name)                                                            \
  static void HEDDLE_JOIN(heddle_case_, line)();                                                     \
  HEDDLE_CASE(HEDDLE_JOIN(heddle_entry_, line), name) {                                              \
    ::heddle_test::run_through_sections([] { HEDDLE_JOIN(heddle_case_, line)(); });                  \
  }                                                                                                  \
  static void HEDDLE_JOIN(heddle_case_, line)()
#define HEDDLE_CASE_WITH_FIXTURE(line, name, fixture)                                                \
  namespace {                                                                                        \
  struct HEDDLE_JOIN(heddle_case_, line) : fixture {                                                 \
    void run();                                                                                      \
  };                                                                                                 \
  }                                                                                                  \
  HEDDLE_CASE(HEDDLE_JOIN(heddle_entry_, line), name) {                                              \
    ::heddle_test::run_through_sections([] {                                                         \
      HEDDLE_JOIN(heddle_case_, line) test;                                                          \
      test.run();                                                                                    \
    });                                                                                              \
  }                                                                                                  \
  void HEDDLE_JOIN(heddle_case_, line)::run()

#define HEDDLE_CHECK(what, outcome)                                                                  \
  do {                                                                                               \
    if (const ::heddle_test::Outcome heddle_outcome = outcome) {                                     \
    } else                                                                                           \
      ::heddle_test::Failure(what, heddle_outcome) = ::heddle_test::Message();                       \
  } while (false)
#define HEDDLE_CHECK_EXPRESSION(macro, ...) \
  HEDDLE_CHECK(macro "(" #__VA_ARGS__ ")", ::heddle_test::outcome_of(::heddle_test::Decomposer() << __VA_ARGS__))
#define HEDDLE_CHECK_NOT(macro, ...) \
  HEDDLE_CHECK(macro "(" #__VA_ARGS__ ")", ::heddle_test::Outcome(!static_cast<bool>(__VA_ARGS__)))
#define HEDDLE_FAIL(what, ...) \
  ::heddle_test::Failure(what, ::heddle_test::Outcome(false)) = ::heddle_test::Message() << __VA_ARGS__
#define HEDDLE_CHECK_THROWS(what, statement, wanted)                                                 \
  HEDDLE_CHECK(what, ::heddle_test::Outcome([&]() -> bool {                                          \
    try {                                                                                            \
      if (::heddle_test::always()) static_cast<void>(statement);                                     \
    } catch (...) {                                                                                  \
      return wanted;                                                                                 \
    }                                                                                                \
    return !wanted;                                                                                  \
  }()))
#define HEDDLE_CHECK_THROWS_AS(what, statement, type)                                                \
  HEDDLE_CHECK(what, ::heddle_test::Outcome([&]() -> bool {                                          \
    try {                                                                                            \
      if (::heddle_test::always()) static_cast<void>(statement);                                     \
    } catch (type const&) {                                                                          \
      return true;                                                                                   \
    } catch (...) {                                                                                  \
    }                                                                                                \
    return false;                                                                                    \
  }()))
#define HEDDLE_CHECK_THROWS_WITH(what, statement, text)                                              \
  HEDDLE_CHECK(what, ::heddle_test::Outcome([&]() -> bool {                                          \
    try {                                                                                            \
      if (::heddle_test::always()) static_cast<void>(statement);                                     \
    } catch (const std::exception& heddle_thrown) {                                                  \
      return std::string(text) == heddle_thrown.what();                                              \
    } catch (...) {                                                                                  \
    }                                                                                                \
    return false;                                                                                    \
  }()))
#define HEDDLE_SECTION(line, ...)                                  \
  if (::heddle_test::Section HEDDLE_JOIN(heddle_section_, line) = \
          ::heddle_test::Section((::heddle_test::Message() << HEDDLE_FIRST(__VA_ARGS__)).text().data))
#define HEDDLE_FIRST_(first, ...) first
#define HEDDLE_FIRST(...) HEDDLE_FIRST_(__VA_ARGS__, )

namespace heddle_test {

struct Approx {
  double value, relative, absolute;

  explicit Approx(double of) : value(of), relative(1e-5), absolute(0) {}
  Approx& epsilon(double e) {
    relative = e;
    return *this;
  }
  Approx& margin(double m) {
    absolute = m;
    return *this;
  }
  Approx operator()(double of) const {
    Approx other(*this);
    other.value = of;
    return other;
  }
  bool near_to(double other) const {
    const double difference = other < value ? value - other : other - value;
    const double size = value < 0 ? -value : value;
    return difference <= absolute || difference <= relative * (1 + size);
  }
};
template <typename T>
typename std::enable_if<std::is_constructible<double, T>::value, bool>::type operator==(const T& a, const Approx& b) {
  return b.near_to(static_cast<double>(a));
}
template <typename T>
typename std::enable_if<std::is_constructible<double, T>::value, bool>::type operator==(const Approx& a, const T& b) {
  return a.near_to(static_cast<double>(b));
}
template <typename T>
typename std::enable_if<std::is_constructible<double, T>::value, bool>::type operator!=(const T& a, const Approx& b) {
  return !(a == b);
}
template <typename T>
typename std::enable_if<std::is_constructible<double, T>::value, bool>::type operator<=(const T& a, const Approx& b) {
  return static_cast<double>(a) < b.value || a == b;
}
template <typename T>
typename std::enable_if<std::is_constructible<double, T>::value, bool>::type operator>=(const T& a, const Approx& b) {
  return static_cast<double>(a) > b.value || a == b;
}
template <typename T>
IfSame<T, Approx> print_as(Text& text, const T& value, Rank<20>) {
  print(text, value.value);
}

}  // namespace heddle_test
