// Catch2's generators of given values and ranges, and its everyday matchers.
#pragma once
#pragma GCC system_header
#include "heddle/expressions.hpp"

namespace Catch {
namespace Generators {

template <typename T>
struct Generated {
  std::vector<T> values;
};
template <typename T>
struct as {};
template <typename T>
Generated<T> values(std::initializer_list<T> all) {
  return {std::vector<T>(all)};
}
template <typename T>
Generated<T> value(const T& one) {
  return {std::vector<T>(1, one)};
}
template <typename T>
Generated<T> range(const T& from, const T& to, const T& step) {
  Generated<T> made;
  for (T value = from; from < to ? value < to : to < value; value = static_cast<T>(value + step))
    made.values.push_back(value);
  return made;
}
template <typename T>
Generated<T> range(const T& from, const T& to) {
  return range(from, to, static_cast<T>(from < to ? 1 : -1));
}

template <typename T>
struct TypeOf {
  typedef T type;
};
template <typename T>
struct TypeOf<Generated<T>> {
  typedef T type;
};
template <typename T>
struct TypeOf<as<T>> {
  typedef T type;
};
template <typename T, typename U>
void add(std::vector<T>& all, const U& one) {
  all.push_back(static_cast<T>(one));
}
template <typename T, typename U>
void add(std::vector<T>& all, const Generated<U>& more) {
  for (const auto& one : more.values) all.push_back(static_cast<T>(one));
}
template <typename T, typename U>
void add(std::vector<T>&, as<U>) {}

template <typename First, typename... More>
typename TypeOf<First>::type generate(const void* place, First first, More... more) {
  std::vector<typename TypeOf<First>::type> all;
  add(all, first);
  const int each[] = {0, (add(all, more), 0)...};
  static_cast<void>(each);
  return all[heddle_test::Sections::of_this_program().generate(place, static_cast<unsigned>(all.size()))];
}

}  // namespace Generators

namespace Matchers {

struct Matcher {};
template <typename T>
struct MatcherBase : Matcher {
  virtual ~MatcherBase() {}
  virtual bool match(const T& value) const = 0;
  virtual std::string describe() const { return std::string(); }
};
struct MatcherGenericBase : Matcher {
  virtual ~MatcherGenericBase() {}
  virtual std::string describe() const { return std::string(); }
};

#define HEDDLE_MATCHER(Name, Wanted, condition)              \
  struct Name##Matcher : Matcher {                           \
    explicit Name##Matcher(const Wanted& w) : wanted(w) {}   \
    template <typename T>                                    \
    bool match(const T& value) const {                       \
      return condition;                                      \
    }                                                        \
    Wanted wanted;                                           \
  };                                                         \
  inline Name##Matcher Name(const Wanted& wanted) { return Name##Matcher(wanted); }
HEDDLE_MATCHER(Equals, std::string, value == wanted)
HEDDLE_MATCHER(Contains, std::string, std::string(value).find(wanted) != std::string::npos)
HEDDLE_MATCHER(ContainsSubstring, std::string, std::string(value).find(wanted) != std::string::npos)
HEDDLE_MATCHER(StartsWith, std::string, std::string(value).compare(0, wanted.size(), wanted) == 0)
HEDDLE_MATCHER(EndsWith, std::string,
               std::string(value).size() >= wanted.size() &&
                   std::string(value).compare(std::string(value).size() - wanted.size(), wanted.size(), wanted) == 0)
HEDDLE_MATCHER(Message, std::string, wanted == value.what())
HEDDLE_MATCHER(SizeIs, size_t, value.size() == wanted)
#undef HEDDLE_MATCHER
struct WithinAbsMatcher : Matcher {
  double wanted, most;
  WithinAbsMatcher(double wanted, double most) : wanted(wanted), most(most) {}
  bool match(double value) const { return heddle_test::near_to(value, wanted, most).holds; }
};
inline WithinAbsMatcher WithinAbs(double wanted, double most) { return WithinAbsMatcher(wanted, most); }
struct WithinRelMatcher : Matcher {
  double wanted, fraction;
  WithinRelMatcher(double wanted, double fraction) : wanted(wanted), fraction(fraction) {}
  bool match(double value) const {
    const double size = wanted < 0 ? -wanted : wanted, other = value < 0 ? -value : value;
    return heddle_test::near_to(value, wanted, fraction * (size < other ? other : size)).holds;
  }
};
inline WithinRelMatcher WithinRel(double wanted, double fraction) { return WithinRelMatcher(wanted, fraction); }
inline WithinRelMatcher WithinRel(double wanted) { return WithinRelMatcher(wanted, 2.220446049250313e-16 * 100); }
struct IsEmptyMatcher : Matcher {
  template <typename T>
  bool match(const T& value) const {
    return value.empty();
  }
};
inline IsEmptyMatcher IsEmpty() { return IsEmptyMatcher(); }
template <typename Predicate>
struct PredicateMatcher : Matcher {
  Predicate holds;
  explicit PredicateMatcher(const Predicate& holds) : holds(holds) {}
  template <typename T>
  bool match(const T& value) const {
    return static_cast<bool>(holds(value));
  }
};
template <typename T, typename Function>
PredicateMatcher<Function> Predicate(const Function& holds, const std::string& = std::string()) {
  return PredicateMatcher<Function>(holds);
}
template <typename Function>
PredicateMatcher<Function> Predicate(const Function& holds, const std::string& = std::string()) {
  return PredicateMatcher<Function>(holds);
}
template <typename Wanted>
struct ItemsMatcher : Matcher {
  std::vector<Wanted> wanted;
  explicit ItemsMatcher(const std::vector<Wanted>& w) : wanted(w) {}
  bool match(const std::vector<Wanted>& value) const { return value == wanted; }
};
template <typename Wanted>
ItemsMatcher<Wanted> Equals(const std::vector<Wanted>& wanted) {
  return ItemsMatcher<Wanted>(wanted);
}

// In any order.
template <typename Wanted>
struct UnorderedMatcher : Matcher {
  std::vector<Wanted> wanted;
  explicit UnorderedMatcher(const std::vector<Wanted>& w) : wanted(w) {}
  bool match(const std::vector<Wanted>& value) const {
    return value.size() == wanted.size() && std::is_permutation(value.begin(), value.end(), wanted.begin());
  }
};
template <typename Wanted>
UnorderedMatcher<Wanted> UnorderedEquals(const std::vector<Wanted>& wanted) {
  return UnorderedMatcher<Wanted>(wanted);
}

template <typename A, typename B, bool all>
struct BothMatcher : Matcher {
  A a;
  B b;
  BothMatcher(const A& a, const B& b) : a(a), b(b) {}
  template <typename T>
  bool match(const T& value) const {
    return all ? a.match(value) && b.match(value) : a.match(value) || b.match(value);
  }
};
template <typename A>
struct NotMatcher : Matcher {
  A a;
  explicit NotMatcher(const A& a) : a(a) {}
  template <typename T>
  bool match(const T& value) const {
    return !a.match(value);
  }
};
template <typename A, typename B>
using IfMatchers =
    typename std::enable_if<std::is_base_of<Matcher, A>::value && std::is_base_of<Matcher, B>::value>::type;
template <typename A, typename B, typename = IfMatchers<A, B>>
BothMatcher<A, B, true> operator&&(const A& a, const B& b) {
  return BothMatcher<A, B, true>(a, b);
}
template <typename A, typename B, typename = IfMatchers<A, B>>
BothMatcher<A, B, false> operator||(const A& a, const B& b) {
  return BothMatcher<A, B, false>(a, b);
}
template <typename A, typename = IfMatchers<A, A>>
NotMatcher<A> operator!(const A& a) {
  return NotMatcher<A>(a);
}

template <typename T, typename M>
heddle_test::Outcome that(const T& value, const M& matcher) {
  heddle_test::Outcome outcome(matcher.match(value));
  if (outcome.holds) return outcome;
  outcome.values.add("not so of ");
  heddle_test::print(outcome.values, value);
  return outcome;
}

// A matcher in the place of an exception's text.
template <typename M, typename = IfMatchers<M, M>>
bool is_text(const std::string& text, const M& matcher) {
  return matcher.match(text);
}

}  // namespace Matchers
using Matchers::MatcherBase;

// `BENCHMARK(name) { body };`
HEDDLE_LACKS(heddle_benchmark, "BENCHMARK");
struct Benchmarked {
  template <typename Body>
  void operator=(const Body&) const {
    heddle_benchmark();
  }
};
namespace Benchmark {
struct Chronometer {
  template <typename Body>
  void measure(const Body&) {}
  int runs() const { return 1; }
};
}  // namespace Benchmark

// How a test says what its values look like. Frameworks ask only when a check fails, which ends the path.
template <typename T, typename = void>
struct StringMaker {
  static std::string convert(const T& value) {
    heddle_test::Text text;
    heddle_test::print(text, value);
    return text.data;
  }
};
namespace Detail {
template <typename T>
std::string stringify(const T& value) {
  return StringMaker<T>::convert(value);
}
}  // namespace Detail
}  // namespace Catch

#define HEDDLE_GENERATE(...)                                                 \
  ({                                                                         \
    using namespace ::Catch::Generators;                                     \
    static char heddle_place;                                                \
    ::Catch::Generators::generate(&heddle_place, __VA_ARGS__);               \
  })
#define HEDDLE_THROWS_MATCHES(statement, type, matcher)                      \
  HEDDLE_THROWN(statement, catch (HEDDLE_NAKED type const& heddle_thrown) {  \
    return (matcher).match(heddle_thrown);                                   \
  } catch (...) {}, false)
