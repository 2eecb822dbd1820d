// GoogleMock: EXPECT_THAT with the everyday matchers, and its main. A test with mocks is compiled with GoogleMock's own
// headers.
#pragma once
#pragma GCC system_header
#include <cstring>
#include <string>
#include <utility>

#include "heddle/googletest.hpp"

namespace testing {

inline void InitGoogleMock(int*, char**) {}
inline void InitGoogleMock() {}

namespace internal {

struct IsMatcher {};

template <typename M, typename V>
typename std::enable_if<std::is_base_of<IsMatcher, M>::value, bool>::type matches(const M& matcher, const V& value) {
  return matcher.matches(value);
}
template <typename T, typename V>
typename std::enable_if<!std::is_base_of<IsMatcher, T>::value, bool>::type matches(const T& wanted, const V& value) {
  return static_cast<bool>(value == wanted);
}

template <typename V, typename M>
heddle_test::Outcome that(const V& value, const M& matcher) {
  heddle_test::Outcome outcome(matches(matcher, value));
  if (outcome.holds) return outcome;
  outcome.values.add("not so of ");
  heddle_test::print(outcome.values, value);
  return outcome;
}

inline std::string text_of(const char* text) { return text; }
inline std::string text_of(const std::string& text) { return text; }

}  // namespace internal

#define HEDDLE_MATCHER(Name, condition)                                                  \
  template <typename T>                                                                  \
  struct Name##Matcher : internal::IsMatcher {                                           \
    explicit Name##Matcher(const T& given) : wanted(given) {}                            \
    template <typename V>                                                                \
    bool matches(const V& value) const {                                                 \
      return static_cast<bool>(condition);                                               \
    }                                                                                    \
    T wanted;                                                                            \
  };                                                                                     \
  template <typename T>                                                                  \
  Name##Matcher<typename std::decay<const T>::type> Name(const T& wanted) {                    \
    return Name##Matcher<typename std::decay<const T>::type>(wanted);                          \
  }
HEDDLE_MATCHER(Eq, value == wanted)
HEDDLE_MATCHER(Ne, value != wanted)
HEDDLE_MATCHER(Lt, value < wanted)
HEDDLE_MATCHER(Le, value <= wanted)
HEDDLE_MATCHER(Gt, value > wanted)
HEDDLE_MATCHER(Ge, value >= wanted)
HEDDLE_MATCHER(Not, !internal::matches(wanted, value))
HEDDLE_MATCHER(SizeIs, internal::matches(wanted, value.size()))
HEDDLE_MATCHER(Pointee, value != nullptr && internal::matches(wanted, *value))
HEDDLE_MATCHER(Optional, value && internal::matches(wanted, *value))
HEDDLE_MATCHER(StrEq, internal::text_of(value) == internal::text_of(wanted))
HEDDLE_MATCHER(HasSubstr, internal::text_of(value).find(internal::text_of(wanted)) != std::string::npos)
HEDDLE_MATCHER(StartsWith, internal::text_of(value).compare(0, internal::text_of(wanted).size(), wanted) == 0)
HEDDLE_MATCHER(DoubleEq, heddle_test::almost_double(value, wanted).holds)
HEDDLE_MATCHER(FloatEq, heddle_test::almost_float(value, wanted).holds)
#undef HEDDLE_MATCHER

#define HEDDLE_MATCHER(Name, condition)                                                  \
  struct Name##Matcher : internal::IsMatcher {                                           \
    template <typename V>                                                                \
    bool matches(const V& value) const {                                                 \
      return static_cast<bool>(condition);                                               \
    }                                                                                    \
  };                                                                                     \
  inline Name##Matcher Name() { return Name##Matcher(); }
HEDDLE_MATCHER(IsNull, value == nullptr)
HEDDLE_MATCHER(NotNull, value != nullptr)
HEDDLE_MATCHER(IsTrue, value)
HEDDLE_MATCHER(IsFalse, !value)
HEDDLE_MATCHER(IsEmpty, value.empty())
#undef HEDDLE_MATCHER

struct AnythingMatcher : internal::IsMatcher {
  template <typename V>
  bool matches(const V&) const {
    return true;
  }
};
static const AnythingMatcher _ = AnythingMatcher();
inline AnythingMatcher Anything() { return AnythingMatcher(); }

// Of ranges: whether one item, or each, matches.
template <typename M, bool all>
struct ItemsMatcher : internal::IsMatcher {
  explicit ItemsMatcher(const M& given) : wanted(given) {}
  template <typename V>
  bool matches(const V& value) const {
    for (const auto& item : value)
      if (internal::matches(wanted, item) != all) return !all;
    return all;
  }
  M wanted;
};
template <typename M>
ItemsMatcher<typename std::decay<const M>::type, false> Contains(const M& wanted) {
  return ItemsMatcher<typename std::decay<const M>::type, false>(wanted);
}
template <typename M>
ItemsMatcher<typename std::decay<const M>::type, true> Each(const M& wanted) {
  return ItemsMatcher<typename std::decay<const M>::type, true>(wanted);
}

namespace internal {

// The items of a range from `at` on, one matcher each.
template <typename At, typename End>
bool in_order(At at, End end) {
  return at == end;
}
template <typename At, typename End, typename M, typename... More>
bool in_order(At at, End end, const M& first, const More&... more) {
  if (at == end || !matches(first, *at)) return false;
  ++at;
  return in_order(at, end, more...);
}

template <typename V>
bool all_match(const V&) {
  return true;
}
template <typename V, typename M, typename... More>
bool all_match(const V& value, const M& first, const More&... more) {
  return matches(first, value) && all_match(value, more...);
}
template <typename V>
bool any_matches(const V&) {
  return false;
}
template <typename V, typename M, typename... More>
bool any_matches(const V& value, const M& first, const More&... more) {
  return matches(first, value) || any_matches(value, more...);
}

template <typename V, typename A, typename B>
bool pair_matches(const V& value, const A& first, const B& second) {
  return matches(first, value.first) && matches(second, value.second);
}

template <size_t... numbers>
struct Numbers {};
template <size_t count, size_t... numbers>
struct MakeNumbers : MakeNumbers<count - 1, count - 1, numbers...> {};
template <size_t... numbers>
struct MakeNumbers<0, numbers...> {
  typedef Numbers<numbers...> type;
};

}  // namespace internal

#define HEDDLE_MATCHER(Name, call)                                                       \
  template <typename... M>                                                               \
  struct Name##Matcher : internal::IsMatcher {                                           \
    explicit Name##Matcher(const M&... given) : wanted(given...) {}                      \
    template <typename V>                                                                \
    bool matches(const V& value) const {                                                 \
      return call_with(value, typename internal::MakeNumbers<sizeof...(M)>::type());     \
    }                                                                                    \
    template <typename V, size_t... n>                                                   \
    bool call_with(const V& value, internal::Numbers<n...>) const {                      \
      return call;                                                                       \
    }                                                                                    \
    std::tuple<M...> wanted;                                                             \
  };                                                                                     \
  template <typename... M>                                                               \
  Name##Matcher<typename std::decay<const M>::type...> Name(const M&... wanted) {              \
    return Name##Matcher<typename std::decay<const M>::type...>(wanted...);                    \
  }
HEDDLE_MATCHER(ElementsAre, internal::in_order(value.begin(), value.end(), std::get<n>(wanted)...))
HEDDLE_MATCHER(AllOf, internal::all_match(value, std::get<n>(wanted)...))
HEDDLE_MATCHER(AnyOf, internal::any_matches(value, std::get<n>(wanted)...))
HEDDLE_MATCHER(Pair, internal::pair_matches(value, std::get<n>(wanted)...))
#undef HEDDLE_MATCHER

}  // namespace testing

#define EXPECT_THAT(value, matcher) \
  HEDDLE_GTEST_CHECK(EXPECT, "EXPECT_THAT(" #value ", " #matcher ")", (::testing::internal::that(value, matcher)))
#define ASSERT_THAT(value, matcher) \
  HEDDLE_GTEST_CHECK(ASSERT, "ASSERT_THAT(" #value ", " #matcher ")", (::testing::internal::that(value, matcher)))
