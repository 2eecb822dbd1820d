// CASE one thread: none
// CASE safe counter: clear
// CASE unsafe counter: data-race
// CASE two steps: assertion 'CHECK_EQ(count_twice(counter), 2)' fails: not 1 == 2
// CASE second subcase: assertion 'CHECK(count_twice(counter) == 3)' fails: not 2 == 3
// CASE same names: data-race
// CASE in a loop: data-race
// CASE message: data-race
// CASE lazy: clear
// CASE all checks: clear
// CASE known to fail: clear
// CASE fails twice: clear
// CASE fails once of two: assertion 'expected_failures()' fails: fewer of its checks failed
// CASE skipped: none
// CASE typed: data-race
// CASE defined<SafeCounter, TwoStepCounter>: clear
// CASE defined<std::tuple<UnsafeCounter>>: data-race
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>
#include <thread>

#include "counter.h"

TEST_SUITE("counters") {
  TEST_CASE("one thread") {
    UnsafeCounter counter;
    REQUIRE(counter.value() == 1);
  }

  TEST_CASE("safe counter") {
    SafeCounter counter;
    REQUIRE(count_twice(counter) == 2);
    CHECK_MESSAGE(counter.value() == 2, "value " << counter.value());
  }

  TEST_CASE("unsafe counter") {
    UnsafeCounter counter;
    count_twice(counter);
  }

  TEST_CASE("two steps") {
    TwoStepCounter counter;
    CHECK_EQ(count_twice(counter), 2);
  }

  TEST_CASE("second subcase") {
    TwoStepCounter counter;
    counter.add();
    SUBCASE("alone") { CHECK(counter.value() == 1); }
    SUBCASE("together") { CHECK(count_twice(counter) == 3); }
  }
}

TEST_CASE("same names") {
  UnsafeCounter counter;
  SUBCASE("run") { counter.add(); }
  SUBCASE("run") { count_twice(counter); }
}

TEST_CASE("in a loop") {
  UnsafeCounter counter;
  for (int n = 0; n < 2; ++n)
    SUBCASE("run") {
      if (n == 1) count_twice(counter);
    }
}

TEST_CASE("message") {
  UnsafeCounter counter;
  std::thread other([&] { counter.add(); });
  MESSAGE("value ", counter);
  MESSAGE("value ", counter.value());
  other.join();
}

// Read when a check fails.
TEST_CASE("lazy") {
  int value = 0;
  std::thread other([&] { ++value; });
  CAPTURE(value);
  INFO("value ", value);
  CHECK_MESSAGE(true, "value ", value);
  other.join();
}

TEST_CASE("all checks") {
  SafeCounter counter;
  const int two = count_twice(counter);
  FAST_CHECK_EQ(two, 2);
  REQUIRE_UNARY_FALSE(two == 3);
  WARN_EQ(two, 3);
  WARN_MESSAGE(two == 3, "two is " << two);
  CHECK_FALSE_MESSAGE(two == 3, "two is ", two);
  CHECK_THROWS_WITH(throw std::runtime_error("a text"), "a text");
  CHECK_THROWS_WITH(throw std::runtime_error("a text"), doctest::Contains("tex"));
  REQUIRE_THROWS_WITH_AS(throw std::runtime_error("a text"), "a text", std::runtime_error);
  CHECK_THROWS_AS_MESSAGE(throw 1, int, "no int");
  GIVEN("a counter") { CHECK(1.0 == doctest::Approx(1.000001)); }
}

TEST_CASE("known " "to fail" * doctest::description("of old") * doctest::should_fail()) {
  SafeCounter counter;
  REQUIRE(count_twice(counter) == 3);
}

TEST_CASE("fails twice" * doctest::expected_failures(2)) {
  SafeCounter counter;
  CHECK(count_twice(counter) == 3);
  FAIL("the end");
}

TEST_CASE("fails once of two" * doctest::expected_failures(2)) {
  SafeCounter counter;
  CHECK(count_twice(counter) == 3);
}

TEST_CASE("skipped" * doctest::skip()) {
  UnsafeCounter counter;
  count_twice(counter);
}

TEST_CASE_TEMPLATE("typed", Counter, SafeCounter, UnsafeCounter) {
  Counter counter;
  count_twice(counter);
}

TEST_CASE_TEMPLATE_DEFINE("defined before its types", Counter, defined) {
  Counter counter;
  count_twice(counter);
}
TEST_CASE_TEMPLATE_INVOKE(defined, SafeCounter, TwoStepCounter);
TEST_CASE_TEMPLATE_APPLY(defined, std::tuple<UnsafeCounter>);

REGISTER_EXCEPTION_TRANSLATOR(const SafeCounter& counter) { return doctest::toString(counter.value()); }
