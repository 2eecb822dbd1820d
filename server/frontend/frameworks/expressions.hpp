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

#include "heddle/sections.hpp"

#pragma clang diagnostic ignored "-Woverloaded-shift-op-parentheses"

// Behind it the body of the case. `expects`: its Expectation. The functions' names hold a line; the front end drops it
// from names.
#define HEDDLE_CASE_WITH_BODY(line, name, expects)                                                   \
  static void HEDDLE_JOIN(heddle_case_, line)();                                                     \
  HEDDLE_CASE(HEDDLE_JOIN(heddle_entry_, line), name) {                                              \
    ::heddle_test::run_case(expects, [] { HEDDLE_JOIN(heddle_case_, line)(); });                     \
  }                                                                                                  \
  static void HEDDLE_JOIN(heddle_case_, line)()
#define HEDDLE_CASE_WITH_FIXTURE(line, name, fixture, expects)                                       \
  namespace {                                                                                        \
  struct HEDDLE_JOIN(heddle_case_, line) : fixture {                                                 \
    void run();                                                                                      \
  };                                                                                                 \
  }                                                                                                  \
  HEDDLE_CASE(HEDDLE_JOIN(heddle_entry_, line), name) {                                              \
    ::heddle_test::run_case(expects, [] {                                                            \
      HEDDLE_JOIN(heddle_case_, line) test;                                                          \
      test.run();                                                                                    \
    });                                                                                              \
  }                                                                                                  \
  void HEDDLE_JOIN(heddle_case_, line)::run()

// One target, which runs the case with each type.
#define HEDDLE_CASE_WITH_TYPES(line, name, type, expects, ...)                                       \
  template <typename type>                                                                           \
  static void HEDDLE_JOIN(heddle_case_, line)();                                                     \
  namespace {                                                                                        \
  template <typename type>                                                                           \
  struct HEDDLE_JOIN(HEDDLE_JOIN(heddle_entry_, line), _types) {                                     \
    static void run() { HEDDLE_JOIN(heddle_case_, line)<type>(); }                                   \
  };                                                                                                 \
  }                                                                                                  \
  HEDDLE_CASE(HEDDLE_JOIN(heddle_entry_, line), name) {                                              \
    ::heddle_test::run_types<HEDDLE_JOIN(HEDDLE_JOIN(heddle_entry_, line), _types), __VA_ARGS__>(expects); \
  }                                                                                                  \
  template <typename type>                                                                           \
  static void HEDDLE_JOIN(heddle_case_, line)()

// A check's `kind`: GoOn (CHECK), Leave (REQUIRE), or Warn, which never fails.
#define HEDDLE_KIND_GoOn(what, outcome) HEDDLE_CHECK(what, outcome, GoOn)
#define HEDDLE_KIND_Leave(what, outcome) HEDDLE_CHECK(what, outcome, Leave)
#define HEDDLE_KIND_Warn(what, outcome) ::heddle_test::evaluated(static_cast<bool>(outcome))
#define HEDDLE_CHECK(what, outcome, kind)                                                            \
  do {                                                                                               \
    if (const ::heddle_test::Outcome heddle_outcome = outcome) {                                     \
    } else                                                                                           \
      ::heddle_test::Failure(what, heddle_outcome, ::heddle_test::After::kind) = ::heddle_test::Message(); \
  } while (false)
#define HEDDLE_SAID_GoOn(what, outcome, ...) HEDDLE_CHECK_SAID(what, outcome, GoOn, __VA_ARGS__)
#define HEDDLE_SAID_Leave(what, outcome, ...) HEDDLE_CHECK_SAID(what, outcome, Leave, __VA_ARGS__)
#define HEDDLE_SAID_Warn(what, outcome, ...)                                                         \
  do {                                                                                               \
    if (const ::heddle_test::Outcome heddle_outcome = outcome) {                                     \
    } else                                                                                           \
      HEDDLE_SAY(__VA_ARGS__);                                                                       \
  } while (false)
#define HEDDLE_CHECK_SAID(what, outcome, kind, ...)                                                  \
  do {                                                                                               \
    if (const ::heddle_test::Outcome heddle_outcome = outcome) {                                     \
    } else                                                                                           \
      ::heddle_test::Failure(what, heddle_outcome, ::heddle_test::After::kind) =                     \
          (::heddle_test::Message() << __VA_ARGS__ + ::heddle_test::End());                          \
  } while (false)
#define HEDDLE_CHECK_EXPRESSION(kind, macro, ...) \
  HEDDLE_KIND_##kind(macro "(" #__VA_ARGS__ ")", ::heddle_test::outcome_of(::heddle_test::Decomposer() << __VA_ARGS__))
#define HEDDLE_CHECK_NOT(kind, macro, ...) \
  HEDDLE_KIND_##kind(macro "(" #__VA_ARGS__ ")", ::heddle_test::Outcome(!static_cast<bool>(__VA_ARGS__)))
#define HEDDLE_FAIL(kind, what, ...)                                                                 \
  ::heddle_test::Failure(what, ::heddle_test::Outcome(false), ::heddle_test::After::kind) =          \
      (::heddle_test::Message() << __VA_ARGS__ + ::heddle_test::End())
#define HEDDLE_SAY(...) \
  static_cast<void>(::heddle_test::written((::heddle_test::Message() << __VA_ARGS__ + ::heddle_test::End())))
// What a statement throws: anything, nothing, an exception of a type, one with a text. `type` is in parentheses.
#define HEDDLE_THROWS(statement, wanted) HEDDLE_THROWN(statement, catch (...) { return wanted; }, !wanted)
#define HEDDLE_THROWS_AS(statement, type) \
  HEDDLE_THROWN(statement, catch (HEDDLE_NAKED type const&) { return true; } catch (...) {}, false)
#define HEDDLE_THROWS_WITH(statement, text)                                                          \
  HEDDLE_THROWN(statement, catch (...) { return ::heddle_test::says(::heddle_test::Thrown(), text); }, false)
#define HEDDLE_THROWS_WITH_AS(statement, text, type)                                                 \
  HEDDLE_THROWN(statement, catch (HEDDLE_NAKED type const& heddle_thrown) {                          \
    return ::heddle_test::says(heddle_thrown, text);                                                 \
  } catch (...) {}, false)
#define HEDDLE_NAKED(...) __VA_ARGS__
#define HEDDLE_THROWN(statement, handlers, otherwise)                                                \
  ::heddle_test::Outcome([&]() -> bool {                                                             \
    try {                                                                                            \
      if (::heddle_test::always()) static_cast<void>(statement);                                     \
    } handlers                                                                                       \
    return otherwise;                                                                                \
  }())
// The place is an object: a line would change with each line that is added above.
#define HEDDLE_SECTION(reenters, ...)                                                                \
  if (::heddle_test::Section HEDDLE_JOIN(heddle_section_, __LINE__) = ::heddle_test::Section(        \
          (::heddle_test::Message() << HEDDLE_FIRST(__VA_ARGS__)).text().data, ({                    \
            static char heddle_place;                                                                \
            &heddle_place;                                                                           \
          }), reenters))
#define HEDDLE_FIRST_(first, ...) first
#define HEDDLE_FIRST(...) HEDDLE_FIRST_(__VA_ARGS__, )
#define HEDDLE_SECOND_(first, second, ...) second
#define HEDDLE_SECOND(...) HEDDLE_SECOND_(__VA_ARGS__, "", )

namespace heddle_test {

template <template <typename> class Case>
void run_types(const Expectation&) {}
template <template <typename> class Case, typename First, typename... More>
void run_types(const Expectation& expects) {
  run_case(expects, [] { Case<First>::run(); });
  run_types<Case, More...>(expects);
}
// Of a list such as std::tuple<int, float>.
template <template <typename> class Case, template <typename...> class List, typename... Types>
void run_listed(const Expectation& expects, List<Types...>*) {
  run_types<Case, Types...>(expects);
}

// Whether an exception's text is the wanted one.
template <typename Exception>
auto text_of(const Exception& thrown, Rank<1>) -> decltype(std::string(thrown.what())) {
  return thrown.what();
}
// The exception that is being handled, of a type that has a text.
struct Thrown {
  std::string what() const {
    try {
      throw;
    } catch (const std::exception& thrown) {
      return thrown.what();
    } catch (const std::string& thrown) {
      return thrown;
    } catch (const char* thrown) {
      return thrown;
    } catch (...) {
      return "Unknown exception";
    }
  }
};
inline std::string text_of(const char* thrown, Rank<1>) { return thrown; }
inline std::string text_of(const std::string& thrown, Rank<1>) { return thrown; }
template <typename Exception>
std::string text_of(const Exception&, Rank<0>) {
  return std::string();
}
struct Contains {
  explicit Contains(const std::string& wanted) : part(wanted) {}
  std::string part;
};
inline bool is_text(const std::string& text, const std::string& wanted) { return text == wanted; }
inline bool is_text(const std::string& text, const Contains& wanted) {
  return text.find(wanted.part) != std::string::npos;
}
template <typename Exception, typename Wanted>
bool says(const Exception& thrown, const Wanted& wanted) {
  return is_text(text_of(thrown, Rank<1>()), wanted);
}

// `of_larger`: doctest's, whose error is relative to 1 and the larger value. Catch2's is relative to the wanted value.
struct Approx {
  double value, relative, absolute, added;
  bool of_larger;

  Approx(double of, bool of_larger)
      : value(of), relative(1.1920928955078125e-7 * 100), absolute(0), added(of_larger ? 1 : 0), of_larger(of_larger) {}
  Approx& epsilon(double e) {
    relative = e;
    return *this;
  }
  Approx& margin(double m) {
    absolute = m;
    return *this;
  }
  Approx& scale(double s) {
    added = s;
    return *this;
  }
  Approx operator()(double of) const {
    Approx other(*this);
    other.value = of;
    return other;
  }
  bool near_to(double other) const {
    const double difference = other < value ? value - other : other - value;
    double size = value < 0 ? -value : value;
    const double other_size = other < 0 ? -other : other;
    if (of_larger && size < other_size) size = other_size;
    return difference <= absolute || difference <= relative * (added + size);
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
typename std::enable_if<std::is_constructible<double, T>::value, bool>::type operator!=(const Approx& a, const T& b) {
  return !(a == b);
}
template <typename T>
typename std::enable_if<std::is_constructible<double, T>::value, bool>::type operator<=(const Approx& a, const T& b) {
  return b >= a;
}
template <typename T>
typename std::enable_if<std::is_constructible<double, T>::value, bool>::type operator>=(const Approx& a, const T& b) {
  return b <= a;
}
template <typename T>
typename std::enable_if<std::is_base_of<Approx, T>::value>::type print_as(Text& text, const T& value, Rank<20>) {
  print(text, value.value);
}

}  // namespace heddle_test
