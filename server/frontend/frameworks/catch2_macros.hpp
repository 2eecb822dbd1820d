// Catch2's macros, with the prefix of CATCH_CONFIG_PREFIX_ALL and without it.
#pragma once
#pragma GCC system_header

#define CATCH_REGISTER_LISTENER(...)
#define CATCH_REGISTER_ENUM(...) static_assert(true, "")
#define CATCH_REGISTER_TAG_ALIAS(...) static_assert(true, "")
#define CATCH_TRANSLATE_EXCEPTION(...) \
  __attribute__((unused)) static std::string HEDDLE_JOIN(heddle_translated_, __LINE__)(__VA_ARGS__)

#ifdef CATCH_CONFIG_PREFIX_ALL
#define CATCH_TEST_CASE(...) HEDDLE_CATCH_CASE(__VA_ARGS__)
#define CATCH_TEST_CASE_METHOD(fixture, ...) HEDDLE_CATCH_METHOD(fixture, __VA_ARGS__)
#define CATCH_SCENARIO(...) HEDDLE_CATCH_CASE("Scenario: " __VA_ARGS__)
#define CATCH_SCENARIO_METHOD(fixture, ...) HEDDLE_CATCH_METHOD(fixture, "Scenario: " __VA_ARGS__)
#define CATCH_TEMPLATE_TEST_CASE(name, tags, ...) HEDDLE_CATCH_TYPES(name, tags, __VA_ARGS__)
#define CATCH_TEMPLATE_TEST_CASE_METHOD(fixture, name, tags, ...) HEDDLE_CATCH_METHOD_TYPES(fixture, name, tags, __VA_ARGS__)
#define CATCH_TEMPLATE_TEST_CASE_SIG(name, tags, ...) HEDDLE_CATCH_SIGNATURE(name, tags, __VA_ARGS__)
#define CATCH_TEMPLATE_TEST_CASE_METHOD_SIG(fixture, name, tags, ...) \
  HEDDLE_CATCH_METHOD_SIGNATURE(fixture, name, tags, __VA_ARGS__)
#define CATCH_TEMPLATE_PRODUCT_TEST_CASE(name, tags, ...) HEDDLE_CATCH_PRODUCT(name, tags, __VA_ARGS__)
#define CATCH_TEMPLATE_PRODUCT_TEST_CASE_METHOD(fixture, name, tags, ...) \
  HEDDLE_CATCH_METHOD_PRODUCT(fixture, name, tags, __VA_ARGS__)
#define CATCH_TEMPLATE_PRODUCT_TEST_CASE_SIG(name, tags, signature, ...) HEDDLE_CATCH_PRODUCT(name, tags, __VA_ARGS__)
#define CATCH_TEMPLATE_PRODUCT_TEST_CASE_METHOD_SIG(fixture, name, tags, signature, ...) \
  HEDDLE_CATCH_METHOD_PRODUCT(fixture, name, tags, __VA_ARGS__)
#define CATCH_TEMPLATE_LIST_TEST_CASE(name, tags, ...) HEDDLE_CATCH_LIST(name, tags, __VA_ARGS__)
#define CATCH_TEMPLATE_LIST_TEST_CASE_METHOD(fixture, name, tags, ...) \
  HEDDLE_CATCH_METHOD_LIST(fixture, name, tags, __VA_ARGS__)
#define CATCH_METHOD_AS_TEST_CASE(member, ...) HEDDLE_CATCH_MEMBER(member, __VA_ARGS__)
#define CATCH_TEST_CASE_PERSISTENT_FIXTURE(fixture, ...) HEDDLE_CATCH_KEPT_FIXTURE(fixture, __VA_ARGS__)
#define CATCH_SECTION(...) HEDDLE_SECTION(false, __VA_ARGS__)
#define CATCH_DYNAMIC_SECTION(...) HEDDLE_SECTION(false, __VA_ARGS__)
#define CATCH_GIVEN(...) HEDDLE_SECTION(false, __VA_ARGS__)
#define CATCH_AND_GIVEN(...) HEDDLE_SECTION(false, __VA_ARGS__)
#define CATCH_WHEN(...) HEDDLE_SECTION(false, __VA_ARGS__)
#define CATCH_AND_WHEN(...) HEDDLE_SECTION(false, __VA_ARGS__)
#define CATCH_THEN(...) HEDDLE_SECTION(false, __VA_ARGS__)
#define CATCH_AND_THEN(...) HEDDLE_SECTION(false, __VA_ARGS__)
#define CATCH_REQUIRE(...) HEDDLE_CHECK_EXPRESSION(Leave, "CATCH_REQUIRE", __VA_ARGS__)
#define CATCH_REQUIRE_FALSE(...) HEDDLE_CHECK_NOT(Leave, "CATCH_REQUIRE_FALSE", __VA_ARGS__)
#define CATCH_CHECK(...) HEDDLE_CHECK_EXPRESSION(GoOn, "CATCH_CHECK", __VA_ARGS__)
#define CATCH_CHECK_FALSE(...) HEDDLE_CHECK_NOT(GoOn, "CATCH_CHECK_FALSE", __VA_ARGS__)
#define CATCH_CHECKED_IF(...) if (__VA_ARGS__)
#define CATCH_CHECKED_ELSE(...) if (!(__VA_ARGS__))
#define CATCH_CHECK_NOFAIL(...) HEDDLE_CHECK_EXPRESSION(Warn, "CATCH_CHECK_NOFAIL", __VA_ARGS__)
#define CATCH_REQUIRE_THROWS(...) \
  HEDDLE_KIND_Leave("CATCH_REQUIRE_THROWS(" #__VA_ARGS__ ")", HEDDLE_THROWS((__VA_ARGS__), true))
#define CATCH_REQUIRE_NOTHROW(...) \
  HEDDLE_KIND_Leave("CATCH_REQUIRE_NOTHROW(" #__VA_ARGS__ ")", HEDDLE_THROWS((__VA_ARGS__), false))
#define CATCH_REQUIRE_THROWS_AS(statement, type) \
  HEDDLE_KIND_Leave("CATCH_REQUIRE_THROWS_AS(" #statement ", " #type ")", HEDDLE_THROWS_AS((statement), (type)))
#define CATCH_REQUIRE_THROWS_WITH(statement, text) \
  HEDDLE_KIND_Leave("CATCH_REQUIRE_THROWS_WITH(" #statement ", " #text ")", HEDDLE_THROWS_WITH((statement), text))
#define CATCH_CHECK_THROWS(...) \
  HEDDLE_KIND_GoOn("CATCH_CHECK_THROWS(" #__VA_ARGS__ ")", HEDDLE_THROWS((__VA_ARGS__), true))
#define CATCH_CHECK_NOTHROW(...) \
  HEDDLE_KIND_GoOn("CATCH_CHECK_NOTHROW(" #__VA_ARGS__ ")", HEDDLE_THROWS((__VA_ARGS__), false))
#define CATCH_CHECK_THROWS_AS(statement, type) \
  HEDDLE_KIND_GoOn("CATCH_CHECK_THROWS_AS(" #statement ", " #type ")", HEDDLE_THROWS_AS((statement), (type)))
#define CATCH_CHECK_THROWS_WITH(statement, text) \
  HEDDLE_KIND_GoOn("CATCH_CHECK_THROWS_WITH(" #statement ", " #text ")", HEDDLE_THROWS_WITH((statement), text))
#define CATCH_FAIL(...) HEDDLE_FAIL(Leave, "CATCH_FAIL", __VA_ARGS__)
#define CATCH_FAIL_CHECK(...) HEDDLE_FAIL(GoOn, "CATCH_FAIL_CHECK", __VA_ARGS__)
#define CATCH_SUCCEED(...) HEDDLE_SAY(__VA_ARGS__)
#define CATCH_INFO(...) HEDDLE_SAY(__VA_ARGS__);  // Catch2 2 ends it, and texts rely on that
#define CATCH_UNSCOPED_INFO(...) HEDDLE_SAY(__VA_ARGS__)
#define CATCH_WARN(...) HEDDLE_SAY(__VA_ARGS__)
#define CATCH_CAPTURE(...) ::heddle_test::captured(__VA_ARGS__)
#define CATCH_SKIP(...) throw(HEDDLE_SAY(__VA_ARGS__), ::heddle_test::Skipped())
#define CATCH_STATIC_REQUIRE(...) static_assert(__VA_ARGS__, #__VA_ARGS__)
#define CATCH_STATIC_REQUIRE_FALSE(...) static_assert(!(__VA_ARGS__), "!(" #__VA_ARGS__ ")")
#define CATCH_STATIC_CHECK(...) static_assert(__VA_ARGS__, #__VA_ARGS__)
#define CATCH_STATIC_CHECK_FALSE(...) static_assert(!(__VA_ARGS__), "!(" #__VA_ARGS__ ")")
#define CATCH_BENCHMARK(...) ::Catch::Benchmarked() = [&]
#define CATCH_BENCHMARK_ADVANCED(...) ::Catch::Benchmarked() = [&]
#define CATCH_GENERATE(...) HEDDLE_GENERATE(__VA_ARGS__)
#define CATCH_GENERATE_COPY(...) HEDDLE_GENERATE(__VA_ARGS__)
#define CATCH_GENERATE_REF(...) HEDDLE_GENERATE(__VA_ARGS__)
#define CATCH_REQUIRE_THAT(value, matcher) \
  HEDDLE_KIND_Leave("CATCH_REQUIRE_THAT(" #value ", " #matcher ")", ::Catch::Matchers::that(value, matcher))
#define CATCH_REQUIRE_THROWS_MATCHES(statement, type, matcher)                        \
  HEDDLE_KIND_Leave("CATCH_REQUIRE_THROWS_MATCHES(" #statement ", " #type ", " #matcher ")", \
                 HEDDLE_THROWS_MATCHES((statement), (type), matcher))
#define CATCH_CHECK_THAT(value, matcher) \
  HEDDLE_KIND_GoOn("CATCH_CHECK_THAT(" #value ", " #matcher ")", ::Catch::Matchers::that(value, matcher))
#define CATCH_CHECK_THROWS_MATCHES(statement, type, matcher)                        \
  HEDDLE_KIND_GoOn("CATCH_CHECK_THROWS_MATCHES(" #statement ", " #type ", " #matcher ")", \
                 HEDDLE_THROWS_MATCHES((statement), (type), matcher))
#else
#define TEST_CASE(...) HEDDLE_CATCH_CASE(__VA_ARGS__)
#define TEST_CASE_METHOD(fixture, ...) HEDDLE_CATCH_METHOD(fixture, __VA_ARGS__)
#define SCENARIO(...) HEDDLE_CATCH_CASE("Scenario: " __VA_ARGS__)
#define SCENARIO_METHOD(fixture, ...) HEDDLE_CATCH_METHOD(fixture, "Scenario: " __VA_ARGS__)
#define TEMPLATE_TEST_CASE(name, tags, ...) HEDDLE_CATCH_TYPES(name, tags, __VA_ARGS__)
#define TEMPLATE_TEST_CASE_METHOD(fixture, name, tags, ...) HEDDLE_CATCH_METHOD_TYPES(fixture, name, tags, __VA_ARGS__)
#define TEMPLATE_TEST_CASE_SIG(name, tags, ...) HEDDLE_CATCH_SIGNATURE(name, tags, __VA_ARGS__)
#define TEMPLATE_TEST_CASE_METHOD_SIG(fixture, name, tags, ...) \
  HEDDLE_CATCH_METHOD_SIGNATURE(fixture, name, tags, __VA_ARGS__)
#define TEMPLATE_PRODUCT_TEST_CASE(name, tags, ...) HEDDLE_CATCH_PRODUCT(name, tags, __VA_ARGS__)
#define TEMPLATE_PRODUCT_TEST_CASE_METHOD(fixture, name, tags, ...) \
  HEDDLE_CATCH_METHOD_PRODUCT(fixture, name, tags, __VA_ARGS__)
#define TEMPLATE_PRODUCT_TEST_CASE_SIG(name, tags, signature, ...) HEDDLE_CATCH_PRODUCT(name, tags, __VA_ARGS__)
#define TEMPLATE_PRODUCT_TEST_CASE_METHOD_SIG(fixture, name, tags, signature, ...) \
  HEDDLE_CATCH_METHOD_PRODUCT(fixture, name, tags, __VA_ARGS__)
#define TEMPLATE_LIST_TEST_CASE(name, tags, ...) HEDDLE_CATCH_LIST(name, tags, __VA_ARGS__)
#define TEMPLATE_LIST_TEST_CASE_METHOD(fixture, name, tags, ...) \
  HEDDLE_CATCH_METHOD_LIST(fixture, name, tags, __VA_ARGS__)
#define METHOD_AS_TEST_CASE(member, ...) HEDDLE_CATCH_MEMBER(member, __VA_ARGS__)
#define TEST_CASE_PERSISTENT_FIXTURE(fixture, ...) HEDDLE_CATCH_KEPT_FIXTURE(fixture, __VA_ARGS__)
#define SECTION(...) HEDDLE_SECTION(false, __VA_ARGS__)
#define DYNAMIC_SECTION(...) HEDDLE_SECTION(false, __VA_ARGS__)
#define GIVEN(...) HEDDLE_SECTION(false, __VA_ARGS__)
#define AND_GIVEN(...) HEDDLE_SECTION(false, __VA_ARGS__)
#define WHEN(...) HEDDLE_SECTION(false, __VA_ARGS__)
#define AND_WHEN(...) HEDDLE_SECTION(false, __VA_ARGS__)
#define THEN(...) HEDDLE_SECTION(false, __VA_ARGS__)
#define AND_THEN(...) HEDDLE_SECTION(false, __VA_ARGS__)
#define REQUIRE(...) HEDDLE_CHECK_EXPRESSION(Leave, "REQUIRE", __VA_ARGS__)
#define REQUIRE_FALSE(...) HEDDLE_CHECK_NOT(Leave, "REQUIRE_FALSE", __VA_ARGS__)
#define CHECK(...) HEDDLE_CHECK_EXPRESSION(GoOn, "CHECK", __VA_ARGS__)
#define CHECK_FALSE(...) HEDDLE_CHECK_NOT(GoOn, "CHECK_FALSE", __VA_ARGS__)
#define CHECKED_IF(...) if (__VA_ARGS__)
#define CHECKED_ELSE(...) if (!(__VA_ARGS__))
#define CHECK_NOFAIL(...) HEDDLE_CHECK_EXPRESSION(Warn, "CHECK_NOFAIL", __VA_ARGS__)
#define REQUIRE_THROWS(...) HEDDLE_KIND_Leave("REQUIRE_THROWS(" #__VA_ARGS__ ")", HEDDLE_THROWS((__VA_ARGS__), true))
#define REQUIRE_NOTHROW(...) HEDDLE_KIND_Leave("REQUIRE_NOTHROW(" #__VA_ARGS__ ")", HEDDLE_THROWS((__VA_ARGS__), false))
#define REQUIRE_THROWS_AS(statement, type) \
  HEDDLE_KIND_Leave("REQUIRE_THROWS_AS(" #statement ", " #type ")", HEDDLE_THROWS_AS((statement), (type)))
#define REQUIRE_THROWS_WITH(statement, text) \
  HEDDLE_KIND_Leave("REQUIRE_THROWS_WITH(" #statement ", " #text ")", HEDDLE_THROWS_WITH((statement), text))
#define CHECK_THROWS(...) HEDDLE_KIND_GoOn("CHECK_THROWS(" #__VA_ARGS__ ")", HEDDLE_THROWS((__VA_ARGS__), true))
#define CHECK_NOTHROW(...) HEDDLE_KIND_GoOn("CHECK_NOTHROW(" #__VA_ARGS__ ")", HEDDLE_THROWS((__VA_ARGS__), false))
#define CHECK_THROWS_AS(statement, type) \
  HEDDLE_KIND_GoOn("CHECK_THROWS_AS(" #statement ", " #type ")", HEDDLE_THROWS_AS((statement), (type)))
#define CHECK_THROWS_WITH(statement, text) \
  HEDDLE_KIND_GoOn("CHECK_THROWS_WITH(" #statement ", " #text ")", HEDDLE_THROWS_WITH((statement), text))
#define FAIL(...) HEDDLE_FAIL(Leave, "FAIL", __VA_ARGS__)
#define FAIL_CHECK(...) HEDDLE_FAIL(GoOn, "FAIL_CHECK", __VA_ARGS__)
#define SUCCEED(...) HEDDLE_SAY(__VA_ARGS__)
#define INFO(...) HEDDLE_SAY(__VA_ARGS__);
#define UNSCOPED_INFO(...) HEDDLE_SAY(__VA_ARGS__)
#define WARN(...) HEDDLE_SAY(__VA_ARGS__)
#define CAPTURE(...) ::heddle_test::captured(__VA_ARGS__)
#define SKIP(...) throw(HEDDLE_SAY(__VA_ARGS__), ::heddle_test::Skipped())
#define STATIC_REQUIRE(...) static_assert(__VA_ARGS__, #__VA_ARGS__)
#define STATIC_REQUIRE_FALSE(...) static_assert(!(__VA_ARGS__), "!(" #__VA_ARGS__ ")")
#define STATIC_CHECK(...) static_assert(__VA_ARGS__, #__VA_ARGS__)
#define STATIC_CHECK_FALSE(...) static_assert(!(__VA_ARGS__), "!(" #__VA_ARGS__ ")")
#define BENCHMARK(...) ::Catch::Benchmarked() = [&]
#define BENCHMARK_ADVANCED(...) ::Catch::Benchmarked() = [&]
#define GENERATE(...) HEDDLE_GENERATE(__VA_ARGS__)
#define GENERATE_COPY(...) HEDDLE_GENERATE(__VA_ARGS__)
#define GENERATE_REF(...) HEDDLE_GENERATE(__VA_ARGS__)
#define REQUIRE_THAT(value, matcher) \
  HEDDLE_KIND_Leave("REQUIRE_THAT(" #value ", " #matcher ")", ::Catch::Matchers::that(value, matcher))
#define REQUIRE_THROWS_MATCHES(statement, type, matcher)                        \
  HEDDLE_KIND_Leave("REQUIRE_THROWS_MATCHES(" #statement ", " #type ", " #matcher ")", \
                 HEDDLE_THROWS_MATCHES((statement), (type), matcher))
#define CHECK_THAT(value, matcher) \
  HEDDLE_KIND_GoOn("CHECK_THAT(" #value ", " #matcher ")", ::Catch::Matchers::that(value, matcher))
#define CHECK_THROWS_MATCHES(statement, type, matcher)                        \
  HEDDLE_KIND_GoOn("CHECK_THROWS_MATCHES(" #statement ", " #type ", " #matcher ")", \
                 HEDDLE_THROWS_MATCHES((statement), (type), matcher))
#endif
