// doctest's macros, and their short names.
#pragma once
#pragma GCC system_header

#define DOCTEST_TEST_CASE(name) HEDDLE_DOCTEST_CASE(__LINE__, name)
#define DOCTEST_TEST_CASE_FIXTURE(fixture, name) HEDDLE_DOCTEST_FIXTURE(__LINE__, fixture, name)
#define DOCTEST_TEST_CASE_TEMPLATE(name, type, ...) \
  HEDDLE_CASE_WITH_TYPES(__LINE__, "=" HEDDLE_TEXT(name), type, ::doctest::expects(name), __VA_ARGS__)
#define DOCTEST_TEST_CASE_TEMPLATE_DEFINE(name, type, id)                                  \
  template <typename type>                                                                 \
  static void HEDDLE_JOIN(heddle_case_, __LINE__)();                                       \
  namespace {                                                                              \
  template <typename type>                                                                 \
  struct HEDDLE_JOIN(id, _heddle_types) {                                                  \
    static void run() { HEDDLE_JOIN(heddle_case_, __LINE__)<type>(); }                     \
  };                                                                                       \
  inline ::heddle_test::Expectation HEDDLE_JOIN(id, _heddle_expects)() { return ::doctest::expects(name); } \
  }                                                                                        \
  template <typename type>                                                                 \
  static void HEDDLE_JOIN(heddle_case_, __LINE__)()
// The name is not known here: "id<types>" stands for it.
#define DOCTEST_TEST_CASE_TEMPLATE_INVOKE(id, ...)                                         \
  HEDDLE_CASE(HEDDLE_JOIN(heddle_entry_, __LINE__), #id "<" #__VA_ARGS__ ">") {            \
    ::heddle_test::run_types<HEDDLE_JOIN(id, _heddle_types), __VA_ARGS__>(HEDDLE_JOIN(id, _heddle_expects)()); \
  }                                                                                        \
  static_assert(true, "")
#define DOCTEST_TEST_CASE_TEMPLATE_APPLY(id, ...)                                          \
  HEDDLE_CASE(HEDDLE_JOIN(heddle_entry_, __LINE__), #id "<" #__VA_ARGS__ ">") {            \
    ::heddle_test::run_listed<HEDDLE_JOIN(id, _heddle_types)>(HEDDLE_JOIN(id, _heddle_expects)(), \
                                                               static_cast<__VA_ARGS__*>(nullptr)); \
  }                                                                                        \
  static_assert(true, "")
#define DOCTEST_REGISTER_EXCEPTION_TRANSLATOR(...) \
  __attribute__((unused)) static ::doctest::String HEDDLE_JOIN(heddle_translated_, __LINE__)(__VA_ARGS__)
#define DOCTEST_SCENARIO(name) DOCTEST_TEST_CASE("  Scenario: " name)
#define DOCTEST_SCENARIO_TEMPLATE(name, type, ...) DOCTEST_TEST_CASE_TEMPLATE("  Scenario: " name, type, __VA_ARGS__)
#define DOCTEST_SUBCASE(...) HEDDLE_SECTION(true, __VA_ARGS__)
#define DOCTEST_GIVEN(name) DOCTEST_SUBCASE("   Given: " name)
#define DOCTEST_WHEN(name) DOCTEST_SUBCASE("    When: " name)
#define DOCTEST_AND_WHEN(name) DOCTEST_SUBCASE("And when: " name)
#define DOCTEST_THEN(name) DOCTEST_SUBCASE("    Then: " name)
#define DOCTEST_AND_THEN(name) DOCTEST_SUBCASE("     And: " name)
#define DOCTEST_TEST_SUITE(...) DOCTEST_TEST_SUITE_BEGIN(__VA_ARGS__); namespace
#define DOCTEST_TEST_SUITE_BEGIN(...) static_assert(sizeof(::doctest::only_described(__VA_ARGS__)) > 0, "")
#define DOCTEST_TEST_SUITE_END static_assert(true, "")
#define DOCTEST_TYPE_TO_STRING(...) static_assert(true, "")
#define DOCTEST_WARN(...) HEDDLE_CHECK_EXPRESSION(Warn, "WARN", __VA_ARGS__)
#define DOCTEST_WARN_FALSE(...) HEDDLE_CHECK_NOT(Warn, "WARN_FALSE", __VA_ARGS__)
#define DOCTEST_WARN_MESSAGE(condition, ...) \
  HEDDLE_SAID_Warn("WARN_MESSAGE(" #condition ")", \
      ::heddle_test::Outcome(static_cast<bool>(condition)), __VA_ARGS__)
#define DOCTEST_WARN_FALSE_MESSAGE(condition, ...) \
  HEDDLE_SAID_Warn("WARN_FALSE_MESSAGE(" #condition ")", \
      ::heddle_test::Outcome(!static_cast<bool>(condition)), __VA_ARGS__)
#define DOCTEST_WARN_EQ(a, b) HEDDLE_DOCTEST_COMPARE(Warn, "WARN_EQ", Equal, a, b)
#define DOCTEST_FAST_WARN_EQ(a, b) DOCTEST_WARN_EQ(a, b)
#define DOCTEST_WARN_NE(a, b) HEDDLE_DOCTEST_COMPARE(Warn, "WARN_NE", NotEqual, a, b)
#define DOCTEST_FAST_WARN_NE(a, b) DOCTEST_WARN_NE(a, b)
#define DOCTEST_WARN_LT(a, b) HEDDLE_DOCTEST_COMPARE(Warn, "WARN_LT", Less, a, b)
#define DOCTEST_FAST_WARN_LT(a, b) DOCTEST_WARN_LT(a, b)
#define DOCTEST_WARN_LE(a, b) HEDDLE_DOCTEST_COMPARE(Warn, "WARN_LE", LessEqual, a, b)
#define DOCTEST_FAST_WARN_LE(a, b) DOCTEST_WARN_LE(a, b)
#define DOCTEST_WARN_GT(a, b) HEDDLE_DOCTEST_COMPARE(Warn, "WARN_GT", Greater, a, b)
#define DOCTEST_FAST_WARN_GT(a, b) DOCTEST_WARN_GT(a, b)
#define DOCTEST_WARN_GE(a, b) HEDDLE_DOCTEST_COMPARE(Warn, "WARN_GE", GreaterEqual, a, b)
#define DOCTEST_FAST_WARN_GE(a, b) DOCTEST_WARN_GE(a, b)
#define DOCTEST_WARN_UNARY(...) DOCTEST_WARN(__VA_ARGS__)
#define DOCTEST_FAST_WARN_UNARY(...) DOCTEST_WARN(__VA_ARGS__)
#define DOCTEST_WARN_UNARY_FALSE(...) DOCTEST_WARN_FALSE(__VA_ARGS__)
#define DOCTEST_FAST_WARN_UNARY_FALSE(...) DOCTEST_WARN_FALSE(__VA_ARGS__)
#define DOCTEST_WARN_THROWS(...) HEDDLE_KIND_Warn("WARN_THROWS(" #__VA_ARGS__ ")", HEDDLE_THROWS((__VA_ARGS__), true))
#define DOCTEST_WARN_NOTHROW(...) \
  HEDDLE_KIND_Warn("WARN_NOTHROW(" #__VA_ARGS__ ")", HEDDLE_THROWS((__VA_ARGS__), false))
#define DOCTEST_WARN_THROWS_AS(statement, ...) \
  HEDDLE_KIND_Warn("WARN_THROWS_AS(" #statement ", " #__VA_ARGS__ ")", \
      HEDDLE_THROWS_AS((statement), (__VA_ARGS__)))
#define DOCTEST_WARN_THROWS_WITH(statement, ...) \
  HEDDLE_KIND_Warn("WARN_THROWS_WITH(" #statement ", " #__VA_ARGS__ ")", \
      HEDDLE_THROWS_WITH((statement), __VA_ARGS__))
#define DOCTEST_WARN_THROWS_WITH_AS(statement, text, ...) \
  HEDDLE_KIND_Warn("WARN_THROWS_WITH_AS(" #statement ", " #text ", " #__VA_ARGS__ ")", \
      HEDDLE_THROWS_WITH_AS((statement), text, (__VA_ARGS__)))
#define DOCTEST_WARN_THROWS_MESSAGE(statement, ...) \
  HEDDLE_SAID_Warn("WARN_THROWS_MESSAGE(" #statement ")", HEDDLE_THROWS((statement), true), __VA_ARGS__)
#define DOCTEST_WARN_NOTHROW_MESSAGE(statement, ...) \
  HEDDLE_SAID_Warn("WARN_NOTHROW_MESSAGE(" #statement ")", HEDDLE_THROWS((statement), false), __VA_ARGS__)
#define DOCTEST_WARN_THROWS_AS_MESSAGE(statement, type, ...) \
  HEDDLE_SAID_Warn("WARN_THROWS_AS_MESSAGE(" #statement ")", HEDDLE_THROWS_AS((statement), (type)), __VA_ARGS__)
#define DOCTEST_WARN_THROWS_WITH_MESSAGE(statement, text, ...) \
  HEDDLE_SAID_Warn("WARN_THROWS_WITH_MESSAGE(" #statement ")", HEDDLE_THROWS_WITH((statement), text), __VA_ARGS__)
#define DOCTEST_WARN_THROWS_WITH_AS_MESSAGE(statement, text, type, ...) \
  HEDDLE_SAID_Warn("WARN_THROWS_WITH_AS_MESSAGE(" #statement ")", \
      HEDDLE_THROWS_WITH_AS((statement), text, (type)), __VA_ARGS__)
#define DOCTEST_CHECK(...) HEDDLE_CHECK_EXPRESSION(GoOn, "CHECK", __VA_ARGS__)
#define DOCTEST_CHECK_FALSE(...) HEDDLE_CHECK_NOT(GoOn, "CHECK_FALSE", __VA_ARGS__)
#define DOCTEST_CHECK_MESSAGE(condition, ...) \
  HEDDLE_SAID_GoOn("CHECK_MESSAGE(" #condition ")", \
      ::heddle_test::Outcome(static_cast<bool>(condition)), __VA_ARGS__)
#define DOCTEST_CHECK_FALSE_MESSAGE(condition, ...) \
  HEDDLE_SAID_GoOn("CHECK_FALSE_MESSAGE(" #condition ")", \
      ::heddle_test::Outcome(!static_cast<bool>(condition)), __VA_ARGS__)
#define DOCTEST_CHECK_EQ(a, b) HEDDLE_DOCTEST_COMPARE(GoOn, "CHECK_EQ", Equal, a, b)
#define DOCTEST_FAST_CHECK_EQ(a, b) DOCTEST_CHECK_EQ(a, b)
#define DOCTEST_CHECK_NE(a, b) HEDDLE_DOCTEST_COMPARE(GoOn, "CHECK_NE", NotEqual, a, b)
#define DOCTEST_FAST_CHECK_NE(a, b) DOCTEST_CHECK_NE(a, b)
#define DOCTEST_CHECK_LT(a, b) HEDDLE_DOCTEST_COMPARE(GoOn, "CHECK_LT", Less, a, b)
#define DOCTEST_FAST_CHECK_LT(a, b) DOCTEST_CHECK_LT(a, b)
#define DOCTEST_CHECK_LE(a, b) HEDDLE_DOCTEST_COMPARE(GoOn, "CHECK_LE", LessEqual, a, b)
#define DOCTEST_FAST_CHECK_LE(a, b) DOCTEST_CHECK_LE(a, b)
#define DOCTEST_CHECK_GT(a, b) HEDDLE_DOCTEST_COMPARE(GoOn, "CHECK_GT", Greater, a, b)
#define DOCTEST_FAST_CHECK_GT(a, b) DOCTEST_CHECK_GT(a, b)
#define DOCTEST_CHECK_GE(a, b) HEDDLE_DOCTEST_COMPARE(GoOn, "CHECK_GE", GreaterEqual, a, b)
#define DOCTEST_FAST_CHECK_GE(a, b) DOCTEST_CHECK_GE(a, b)
#define DOCTEST_CHECK_UNARY(...) DOCTEST_CHECK(__VA_ARGS__)
#define DOCTEST_FAST_CHECK_UNARY(...) DOCTEST_CHECK(__VA_ARGS__)
#define DOCTEST_CHECK_UNARY_FALSE(...) DOCTEST_CHECK_FALSE(__VA_ARGS__)
#define DOCTEST_FAST_CHECK_UNARY_FALSE(...) DOCTEST_CHECK_FALSE(__VA_ARGS__)
#define DOCTEST_CHECK_THROWS(...) \
  HEDDLE_KIND_GoOn("CHECK_THROWS(" #__VA_ARGS__ ")", HEDDLE_THROWS((__VA_ARGS__), true))
#define DOCTEST_CHECK_NOTHROW(...) \
  HEDDLE_KIND_GoOn("CHECK_NOTHROW(" #__VA_ARGS__ ")", HEDDLE_THROWS((__VA_ARGS__), false))
#define DOCTEST_CHECK_THROWS_AS(statement, ...) \
  HEDDLE_KIND_GoOn("CHECK_THROWS_AS(" #statement ", " #__VA_ARGS__ ")", \
      HEDDLE_THROWS_AS((statement), (__VA_ARGS__)))
#define DOCTEST_CHECK_THROWS_WITH(statement, ...) \
  HEDDLE_KIND_GoOn("CHECK_THROWS_WITH(" #statement ", " #__VA_ARGS__ ")", \
      HEDDLE_THROWS_WITH((statement), __VA_ARGS__))
#define DOCTEST_CHECK_THROWS_WITH_AS(statement, text, ...) \
  HEDDLE_KIND_GoOn("CHECK_THROWS_WITH_AS(" #statement ", " #text ", " #__VA_ARGS__ ")", \
      HEDDLE_THROWS_WITH_AS((statement), text, (__VA_ARGS__)))
#define DOCTEST_CHECK_THROWS_MESSAGE(statement, ...) \
  HEDDLE_SAID_GoOn("CHECK_THROWS_MESSAGE(" #statement ")", HEDDLE_THROWS((statement), true), __VA_ARGS__)
#define DOCTEST_CHECK_NOTHROW_MESSAGE(statement, ...) \
  HEDDLE_SAID_GoOn("CHECK_NOTHROW_MESSAGE(" #statement ")", HEDDLE_THROWS((statement), false), __VA_ARGS__)
#define DOCTEST_CHECK_THROWS_AS_MESSAGE(statement, type, ...) \
  HEDDLE_SAID_GoOn("CHECK_THROWS_AS_MESSAGE(" #statement ")", HEDDLE_THROWS_AS((statement), (type)), __VA_ARGS__)
#define DOCTEST_CHECK_THROWS_WITH_MESSAGE(statement, text, ...) \
  HEDDLE_SAID_GoOn("CHECK_THROWS_WITH_MESSAGE(" #statement ")", \
      HEDDLE_THROWS_WITH((statement), text), __VA_ARGS__)
#define DOCTEST_CHECK_THROWS_WITH_AS_MESSAGE(statement, text, type, ...) \
  HEDDLE_SAID_GoOn("CHECK_THROWS_WITH_AS_MESSAGE(" #statement ")", \
      HEDDLE_THROWS_WITH_AS((statement), text, (type)), __VA_ARGS__)
#define DOCTEST_REQUIRE(...) HEDDLE_CHECK_EXPRESSION(Leave, "REQUIRE", __VA_ARGS__)
#define DOCTEST_REQUIRE_FALSE(...) HEDDLE_CHECK_NOT(Leave, "REQUIRE_FALSE", __VA_ARGS__)
#define DOCTEST_REQUIRE_MESSAGE(condition, ...) \
  HEDDLE_SAID_Leave("REQUIRE_MESSAGE(" #condition ")", \
      ::heddle_test::Outcome(static_cast<bool>(condition)), __VA_ARGS__)
#define DOCTEST_REQUIRE_FALSE_MESSAGE(condition, ...) \
  HEDDLE_SAID_Leave("REQUIRE_FALSE_MESSAGE(" #condition ")", \
      ::heddle_test::Outcome(!static_cast<bool>(condition)), __VA_ARGS__)
#define DOCTEST_REQUIRE_EQ(a, b) HEDDLE_DOCTEST_COMPARE(Leave, "REQUIRE_EQ", Equal, a, b)
#define DOCTEST_FAST_REQUIRE_EQ(a, b) DOCTEST_REQUIRE_EQ(a, b)
#define DOCTEST_REQUIRE_NE(a, b) HEDDLE_DOCTEST_COMPARE(Leave, "REQUIRE_NE", NotEqual, a, b)
#define DOCTEST_FAST_REQUIRE_NE(a, b) DOCTEST_REQUIRE_NE(a, b)
#define DOCTEST_REQUIRE_LT(a, b) HEDDLE_DOCTEST_COMPARE(Leave, "REQUIRE_LT", Less, a, b)
#define DOCTEST_FAST_REQUIRE_LT(a, b) DOCTEST_REQUIRE_LT(a, b)
#define DOCTEST_REQUIRE_LE(a, b) HEDDLE_DOCTEST_COMPARE(Leave, "REQUIRE_LE", LessEqual, a, b)
#define DOCTEST_FAST_REQUIRE_LE(a, b) DOCTEST_REQUIRE_LE(a, b)
#define DOCTEST_REQUIRE_GT(a, b) HEDDLE_DOCTEST_COMPARE(Leave, "REQUIRE_GT", Greater, a, b)
#define DOCTEST_FAST_REQUIRE_GT(a, b) DOCTEST_REQUIRE_GT(a, b)
#define DOCTEST_REQUIRE_GE(a, b) HEDDLE_DOCTEST_COMPARE(Leave, "REQUIRE_GE", GreaterEqual, a, b)
#define DOCTEST_FAST_REQUIRE_GE(a, b) DOCTEST_REQUIRE_GE(a, b)
#define DOCTEST_REQUIRE_UNARY(...) DOCTEST_REQUIRE(__VA_ARGS__)
#define DOCTEST_FAST_REQUIRE_UNARY(...) DOCTEST_REQUIRE(__VA_ARGS__)
#define DOCTEST_REQUIRE_UNARY_FALSE(...) DOCTEST_REQUIRE_FALSE(__VA_ARGS__)
#define DOCTEST_FAST_REQUIRE_UNARY_FALSE(...) DOCTEST_REQUIRE_FALSE(__VA_ARGS__)
#define DOCTEST_REQUIRE_THROWS(...) \
  HEDDLE_KIND_Leave("REQUIRE_THROWS(" #__VA_ARGS__ ")", HEDDLE_THROWS((__VA_ARGS__), true))
#define DOCTEST_REQUIRE_NOTHROW(...) \
  HEDDLE_KIND_Leave("REQUIRE_NOTHROW(" #__VA_ARGS__ ")", HEDDLE_THROWS((__VA_ARGS__), false))
#define DOCTEST_REQUIRE_THROWS_AS(statement, ...) \
  HEDDLE_KIND_Leave("REQUIRE_THROWS_AS(" #statement ", " #__VA_ARGS__ ")", \
      HEDDLE_THROWS_AS((statement), (__VA_ARGS__)))
#define DOCTEST_REQUIRE_THROWS_WITH(statement, ...) \
  HEDDLE_KIND_Leave("REQUIRE_THROWS_WITH(" #statement ", " #__VA_ARGS__ ")", \
      HEDDLE_THROWS_WITH((statement), __VA_ARGS__))
#define DOCTEST_REQUIRE_THROWS_WITH_AS(statement, text, ...) \
  HEDDLE_KIND_Leave("REQUIRE_THROWS_WITH_AS(" #statement ", " #text ", " #__VA_ARGS__ ")", \
      HEDDLE_THROWS_WITH_AS((statement), text, (__VA_ARGS__)))
#define DOCTEST_REQUIRE_THROWS_MESSAGE(statement, ...) \
  HEDDLE_SAID_Leave("REQUIRE_THROWS_MESSAGE(" #statement ")", HEDDLE_THROWS((statement), true), __VA_ARGS__)
#define DOCTEST_REQUIRE_NOTHROW_MESSAGE(statement, ...) \
  HEDDLE_SAID_Leave("REQUIRE_NOTHROW_MESSAGE(" #statement ")", HEDDLE_THROWS((statement), false), __VA_ARGS__)
#define DOCTEST_REQUIRE_THROWS_AS_MESSAGE(statement, type, ...) \
  HEDDLE_SAID_Leave("REQUIRE_THROWS_AS_MESSAGE(" #statement ")", \
      HEDDLE_THROWS_AS((statement), (type)), __VA_ARGS__)
#define DOCTEST_REQUIRE_THROWS_WITH_MESSAGE(statement, text, ...) \
  HEDDLE_SAID_Leave("REQUIRE_THROWS_WITH_MESSAGE(" #statement ")", \
      HEDDLE_THROWS_WITH((statement), text), __VA_ARGS__)
#define DOCTEST_REQUIRE_THROWS_WITH_AS_MESSAGE(statement, text, type, ...) \
  HEDDLE_SAID_Leave("REQUIRE_THROWS_WITH_AS_MESSAGE(" #statement ")", \
      HEDDLE_THROWS_WITH_AS((statement), text, (type)), __VA_ARGS__)
#define DOCTEST_FAIL(...) HEDDLE_FAIL(Leave, "FAIL", __VA_ARGS__)
#define DOCTEST_FAIL_CHECK(...) HEDDLE_FAIL(GoOn, "FAIL_CHECK", __VA_ARGS__)
#define DOCTEST_ADD_FAIL_AT(file, line, ...) HEDDLE_FAIL(Leave, "FAIL", __VA_ARGS__)
#define DOCTEST_ADD_FAIL_CHECK_AT(file, line, ...) HEDDLE_FAIL(GoOn, "FAIL_CHECK", __VA_ARGS__)
#define DOCTEST_MESSAGE(...) HEDDLE_SAY(__VA_ARGS__)
#define DOCTEST_ADD_MESSAGE_AT(file, line, ...) HEDDLE_SAY(__VA_ARGS__)
// Written when a check fails, which ends the path.
#define DOCTEST_INFO(...) static_cast<void>(0)
#define DOCTEST_CAPTURE(...) static_cast<void>(0)
