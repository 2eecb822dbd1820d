// How Boost.Test compares: with a tolerance, item by item, text by text.
#pragma once
#pragma GCC system_header
#include "heddle/checks.hpp"

namespace boost {
namespace math {
namespace fpc {
template <typename T>
struct percent_tolerance_t {
  T value;
};
template <typename T>
percent_tolerance_t<T> percent_tolerance(T percent) {
  return {percent};
}
}  // namespace fpc
}  // namespace math
namespace test_tools {
namespace fpc = ::boost::math::fpc;
using fpc::percent_tolerance;

template <typename T>
struct Tolerance {
  T fraction;
};
template <typename T>
Tolerance<T> tolerance(T fraction) {
  return {fraction};
}
template <typename T>
Tolerance<T> tolerance(fpc::percent_tolerance_t<T> percent) {
  return {percent.value / 100};
}
struct InPercent {};
inline InPercent tolerance() { return {}; }
template <typename T>
Tolerance<T> operator%(T percent, InPercent) {
  return {percent / 100};
}
struct per_element {};
struct lexicographic {};
struct bitwise {};

class assertion_result {
 public:
  assertion_result(bool holds) : holds_(holds) {}
  bool operator!() const { return !holds_; }
  explicit operator bool() const { return holds_; }
  heddle_test::Message& message() { return said_; }

 private:
  bool holds_;
  heddle_test::Message said_;
};
typedef assertion_result predicate_result;
}  // namespace test_tools
}  // namespace boost

namespace heddle_boost {

using heddle_test::Outcome;
using heddle_test::Rank;

// How one check compares, or all of a case.
struct Manner {
  double fraction;
  bool items;
  Manner() : fraction(0), items(false) {}
  static Manner& of_this_case() {
    static Manner one;
    return one;
  }
  template <typename T>
  Manner& operator<<(const boost::test_tools::Tolerance<T>& tolerance) {
    fraction = static_cast<double>(tolerance.fraction);
    return *this;
  }
  Manner& operator<<(boost::test_tools::per_element) {
    items = true;
    return *this;
  }
  // What is said of a failure is not read before it, and then the path ends.
  template <typename T>
  Manner& operator<<(const T&) {
    return *this;
  }
  template <typename T>
  Manner& operator,(const T& more) {
    return *this << more;
  }
};
struct NoManner {};

inline double size_of(double value) { return value < 0 ? -value : value; }
// Near for both operands; to zero, by the fraction itself.
inline bool near(double a, double b, double fraction) {
  const double difference = size_of(a - b);
  if (a == 0 || b == 0) return difference <= fraction;
  return difference <= fraction * size_of(a) && difference <= fraction * size_of(b);
}

using heddle_test::Equal;
using heddle_test::Greater;
using heddle_test::GreaterEqual;
using heddle_test::Less;
using heddle_test::LessEqual;
using heddle_test::NotEqual;
inline bool holds(Equal, double, double, bool near) { return near; }
inline bool holds(NotEqual, double, double, bool near) { return !near; }
inline bool holds(Less, double a, double b, bool near) { return a < b && !near; }
inline bool holds(LessEqual, double a, double b, bool near) { return a < b || near; }
inline bool holds(Greater, double a, double b, bool near) { return a > b && !near; }
inline bool holds(GreaterEqual, double a, double b, bool near) { return a > b || near; }

template <typename Comparison, typename A, typename B>
Outcome outcome_of(bool holds, const A& a, const B& b) {
  Outcome outcome(holds);
  if (holds) return outcome;
  outcome.values.add("not ");
  heddle_test::print(outcome.values, a);
  outcome.values.add(Comparison::text());
  heddle_test::print(outcome.values, b);
  return outcome;
}

template <typename Comparison, typename A, typename B>
Outcome compare(const A& a, const B& b, const Manner& manner);

template <typename A, typename B>
struct AreNumbers {
  static const bool value = std::is_arithmetic<A>::value && std::is_arithmetic<B>::value &&
                            (std::is_floating_point<A>::value || std::is_floating_point<B>::value);
};
template <typename T>
struct IsText {
  typedef typename std::decay<T>::type Plain;
  static const bool value = std::is_same<Plain, const char*>::value || std::is_same<Plain, char*>::value;
};
template <typename Comparison, typename A, typename B>
typename std::enable_if<AreNumbers<A, B>::value, Outcome>::type compare_as(const A& a, const B& b, const Manner& manner,
                                                                           Rank<3>) {
  if (manner.fraction == 0) return heddle_test::compare<Comparison>(a, b);
  const double of_a = static_cast<double>(a), of_b = static_cast<double>(b);
  return outcome_of<Comparison>(holds(Comparison(), of_a, of_b, near(of_a, of_b, manner.fraction)), a, b);
}
template <typename Comparison, typename A, typename B>
typename std::enable_if<IsText<A>::value && IsText<B>::value, Outcome>::type compare_as(const A& a, const B& b,
                                                                                        const Manner&, Rank<3>) {
  const char *of_a = a, *of_b = b;
  if (!of_a || !of_b) return outcome_of<Comparison>(Comparison::holds(of_a != nullptr, of_b != nullptr), a, b);
  return outcome_of<Comparison>(Comparison::holds(__builtin_strcmp(of_a, of_b), 0), a, b);
}
// Items from `a` and `b` on, until one pair does not hold or one range ends.
template <typename Comparison, typename A, typename B>
Outcome compare_items(A a, A a_end, B b, B b_end, const Manner& manner) {
  for (; a != a_end && b != b_end; ++a, ++b) {
    const Outcome outcome = compare<Comparison>(*a, *b, manner);
    if (!outcome.holds) return outcome;
  }
  Outcome outcome(!(a != a_end) && !(b != b_end));
  if (!outcome.holds) outcome.values.add("the sizes differ");
  return outcome;
}
template <typename Comparison, typename A, typename B, size_t of_a, size_t of_b>
Outcome compare_arrays(const A (&a)[of_a], const B (&b)[of_b], const Manner& manner) {
  return compare_items<Comparison>(a, a + of_a, b, b + of_b, manner);
}
template <typename Comparison, typename A, typename B>
auto compare_as(const A& a, const B& b, const Manner& manner, Rank<2>)
    -> decltype(compare_arrays<Comparison>(a, b, manner)) {
  return compare_arrays<Comparison>(a, b, manner);
}
template <typename Comparison, typename A, typename B>
auto compare_as(const A& a, const B& b, const Manner& manner, Rank<1>)
    -> decltype(compare<Comparison>(*a.begin(), *b.begin(), manner), a.end(), b.end(), Outcome(true)) {
  if (!manner.items) return heddle_test::compare<Comparison>(a, b);
  return compare_items<Comparison>(a.begin(), a.end(), b.begin(), b.end(), manner);
}
template <typename Comparison, typename A, typename B>
Outcome compare_as(const A& a, const B& b, const Manner&, Rank<0>) {
  return heddle_test::compare<Comparison>(a, b);
}
template <typename Comparison, typename A, typename B>
Outcome compare(const A& a, const B& b, const Manner& manner) {
  return compare_as<Comparison>(a, b, manner, Rank<3>());
}

template <typename A, typename B>
Outcome compare_ranges(A a, A a_end, B b, B b_end) {
  return compare_items<Equal>(a, a_end, b, b_end, Manner());
}

// An expression taken apart, and compared when its manner is known.
template <typename Comparison, typename A, typename B>
struct Pair {
  const A& a;
  const B& b;
  Outcome outcome(const Manner& manner) const { return compare<Comparison>(a, b, manner); }
};
template <typename A>
struct Operand {
  const A& a;

  template <typename B>
  Pair<Equal, A, B> operator==(const B& b) const { return {a, b}; }
  template <typename B>
  Pair<NotEqual, A, B> operator!=(const B& b) const { return {a, b}; }
  template <typename B>
  Pair<Less, A, B> operator<(const B& b) const { return {a, b}; }
  template <typename B>
  Pair<LessEqual, A, B> operator<=(const B& b) const { return {a, b}; }
  template <typename B>
  Pair<Greater, A, B> operator>(const B& b) const { return {a, b}; }
  template <typename B>
  Pair<GreaterEqual, A, B> operator>=(const B& b) const { return {a, b}; }
  Outcome outcome(const Manner&) const { return Outcome(static_cast<bool>(a)); }
};
struct Taken {
  template <typename A>
  Operand<A> operator<<(const A& a) const { return {a}; }
};

// A log's text that is not shown: its parts are not read.
struct Unread {
  template <typename T>
  const Unread& operator<<(const T&) const {
    return *this;
  }
  const Unread& operator<<(std::ostream& (*)(std::ostream&)) const { return *this; }
};

}  // namespace heddle_boost
