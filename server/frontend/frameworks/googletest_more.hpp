// GoogleTest's functions that checks and mains use: predicates of formats, expected failures, flags, captured output.
#pragma once
#pragma GCC system_header
#include "heddle/googletest.hpp"

namespace testing {

// Predicates of EXPECT_PRED_FORMAT2.
template <typename T>
AssertionResult less_or_almost(const char* a_text, const char* b_text, T a, T b, bool almost) {
  if (a < b || almost) return AssertionSuccess();
  return AssertionFailure() << a_text << " <= " << b_text << " with " << a << " and " << b;
}
inline AssertionResult FloatLE(const char* a_text, const char* b_text, float a, float b) {
  return less_or_almost(a_text, b_text, a, b, heddle_test::almost_float(a, b).holds);
}
inline AssertionResult DoubleLE(const char* a_text, const char* b_text, double a, double b) {
  return less_or_almost(a_text, b_text, a, b, heddle_test::almost_double(a, b).holds);
}
inline AssertionResult is_part(bool holds, const char* text) {
  return holds ? AssertionSuccess() : AssertionFailure() << text;
}
inline AssertionResult IsSubstring(const char*, const char*, const std::string& part, const std::string& whole) {
  return is_part(whole.find(part) != std::string::npos, "it is no part");
}
inline AssertionResult IsNotSubstring(const char*, const char*, const std::string& part, const std::string& whole) {
  return is_part(whole.find(part) == std::string::npos, "it is a part");
}

namespace internal {

// EXPECT_FATAL_FAILURE and its like: one failure of the kind.
template <typename Statement>
heddle_test::Outcome fails_once(bool fatal, bool all_threads, const Statement& statement) {
  heddle_test::Expecting expecting(all_threads ? heddle_test::Expected::of_all_threads()
                                               : heddle_test::Expected::of_this_thread());
  statement();
  const heddle_test::Expected& counted = expecting.counted;
  heddle_test::Outcome outcome(counted.fatal == (fatal ? 1 : 0) && counted.others == (fatal ? 0 : 1));
  if (outcome.holds) return outcome;
  outcome.values.add("fatal failures: ");
  outcome.values.add_number(static_cast<unsigned>(counted.fatal));
  outcome.values.add(", others: ");
  outcome.values.add_number(static_cast<unsigned>(counted.others));
  return outcome;
}

HEDDLE_LACKS(heddle_captured_output, "CaptureStdout");
inline void CaptureStdout() { heddle_captured_output(); }
inline void CaptureStderr() { heddle_captured_output(); }
inline std::string GetCapturedStdout() { return std::string(); }
inline std::string GetCapturedStderr() { return std::string(); }

}  // namespace internal
}  // namespace testing

// Flags that mains set choose, order and show tests; they change no test.
#define GTEST_FLAG(name) FLAGS_gtest_##name
#define GTEST_FLAG_GET(name) ::testing::GTEST_FLAG(name)
#define GTEST_FLAG_SET(name, value) static_cast<void>(::testing::GTEST_FLAG(name) = value)
namespace testing {
struct FlagText {
  const char* value;
  FlagText& operator=(const char* text) {
    value = text;
    return *this;
  }
  FlagText& operator=(const std::string&) { return *this; }
  operator std::string() const { return value; }
};
#define HEDDLE_FLAG(type, name, value)                \
  namespace {                                         \
  __attribute__((unused)) type FLAGS_gtest_##name = value; \
  }
HEDDLE_FLAG(bool, also_run_disabled_tests, false)
HEDDLE_FLAG(bool, break_on_failure, false)
HEDDLE_FLAG(bool, catch_exceptions, true)
HEDDLE_FLAG(bool, fail_fast, false)
HEDDLE_FLAG(bool, list_tests, false)
HEDDLE_FLAG(bool, print_time, true)
HEDDLE_FLAG(bool, print_utf8, true)
HEDDLE_FLAG(bool, brief, false)
HEDDLE_FLAG(bool, shuffle, false)
HEDDLE_FLAG(bool, throw_on_failure, false)
HEDDLE_FLAG(bool, recreate_environments_when_repeating, true)
HEDDLE_FLAG(int, random_seed, 0)
HEDDLE_FLAG(int, repeat, 1)
HEDDLE_FLAG(int, stack_trace_depth, 100)
HEDDLE_FLAG(FlagText, color, {"auto"})
HEDDLE_FLAG(FlagText, death_test_style, {"fast"})
HEDDLE_FLAG(FlagText, filter, {"*"})
HEDDLE_FLAG(FlagText, output, {""})
#undef HEDDLE_FLAG
}  // namespace testing
