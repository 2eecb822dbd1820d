// Catch2's macros without a prefix.
#pragma once
#pragma GCC system_header

#define TEST_CASE(...) HEDDLE_CATCH_CASE(__VA_ARGS__)
#define TEST_CASE_METHOD(fixture, ...) HEDDLE_CATCH_METHOD(fixture, __VA_ARGS__)
#define SCENARIO(...) HEDDLE_CATCH_CASE("Scenario: " __VA_ARGS__)
#define SCENARIO_METHOD(fixture, ...) HEDDLE_CATCH_METHOD(fixture, "Scenario: " __VA_ARGS__)
#define SECTION(...) HEDDLE_SECTION(__LINE__, __VA_ARGS__)
#define DYNAMIC_SECTION(...) HEDDLE_SECTION(__LINE__, __VA_ARGS__)
#define GIVEN(...) HEDDLE_SECTION(__LINE__, __VA_ARGS__)
#define AND_GIVEN(...) HEDDLE_SECTION(__LINE__, __VA_ARGS__)
#define WHEN(...) HEDDLE_SECTION(__LINE__, __VA_ARGS__)
#define AND_WHEN(...) HEDDLE_SECTION(__LINE__, __VA_ARGS__)
#define THEN(...) HEDDLE_SECTION(__LINE__, __VA_ARGS__)
#define AND_THEN(...) HEDDLE_SECTION(__LINE__, __VA_ARGS__)

#define REQUIRE(...) HEDDLE_CHECK_EXPRESSION("REQUIRE", __VA_ARGS__)
#define CHECK(...) HEDDLE_CHECK_EXPRESSION("CHECK", __VA_ARGS__)
#define REQUIRE_FALSE(...) HEDDLE_CHECK_NOT("REQUIRE_FALSE", __VA_ARGS__)
#define CHECK_FALSE(...) HEDDLE_CHECK_NOT("CHECK_FALSE", __VA_ARGS__)
#define CHECKED_IF(...) if (__VA_ARGS__)
#define CHECKED_ELSE(...) if (!(__VA_ARGS__))
#define CHECK_NOFAIL(...) static_cast<void>(__VA_ARGS__)

#define REQUIRE_THROWS(...) HEDDLE_CHECK_THROWS("REQUIRE_THROWS(" #__VA_ARGS__ ")", (__VA_ARGS__), true)
#define CHECK_THROWS(...) HEDDLE_CHECK_THROWS("CHECK_THROWS(" #__VA_ARGS__ ")", (__VA_ARGS__), true)
#define REQUIRE_NOTHROW(...) HEDDLE_CHECK_THROWS("REQUIRE_NOTHROW(" #__VA_ARGS__ ")", (__VA_ARGS__), false)
#define CHECK_NOTHROW(...) HEDDLE_CHECK_THROWS("CHECK_NOTHROW(" #__VA_ARGS__ ")", (__VA_ARGS__), false)
#define REQUIRE_THROWS_AS(statement, type) \
  HEDDLE_CHECK_THROWS_AS("REQUIRE_THROWS_AS(" #statement ", " #type ")", (statement), type)
#define CHECK_THROWS_AS(statement, type) \
  HEDDLE_CHECK_THROWS_AS("CHECK_THROWS_AS(" #statement ", " #type ")", (statement), type)
#define REQUIRE_THROWS_WITH(statement, text) \
  HEDDLE_CHECK_THROWS_WITH("REQUIRE_THROWS_WITH(" #statement ", " #text ")", (statement), text)
#define CHECK_THROWS_WITH(statement, text) \
  HEDDLE_CHECK_THROWS_WITH("CHECK_THROWS_WITH(" #statement ", " #text ")", (statement), text)

#define FAIL(...) HEDDLE_FAIL("FAIL", "" __VA_ARGS__)
#define FAIL_CHECK(...) HEDDLE_FAIL("FAIL_CHECK", "" __VA_ARGS__)
#define SUCCEED(...) static_cast<void>(0)
#define INFO(...) static_cast<void>(::heddle_test::Message() << __VA_ARGS__)
#define UNSCOPED_INFO(...) INFO(__VA_ARGS__)
#define WARN(...) INFO(__VA_ARGS__)
#define CAPTURE(...) static_cast<void>(0)
#define SKIP(...) return
#define STATIC_REQUIRE(...) static_assert(__VA_ARGS__, #__VA_ARGS__)
#define STATIC_CHECK(...) static_assert(__VA_ARGS__, #__VA_ARGS__)
#define STATIC_REQUIRE_FALSE(...) static_assert(!(__VA_ARGS__), "!(" #__VA_ARGS__ ")")
#define CATCH_REGISTER_LISTENER(...)
