// CASE one thread: none
// CASE safe counter: clear
// CASE unsafe counter: data-race
// CASE two steps: assertion 'REQUIRE(total == 2)' fails: not 1 == 2
// CASE second section: assertion 'CHECK(count_twice(counter) == 3)' fails: not 2 == 3
// CASE fixture: clear
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include "counter.h"

TEST_CASE("one thread", "[counter]") {
  UnsafeCounter counter;
  REQUIRE(counter.value() == 1);
}

TEST_CASE("safe counter", "[counter]") {
  SafeCounter counter;
  REQUIRE(count_twice(counter) == 2);
  REQUIRE_FALSE(counter.value() == 3);
  REQUIRE_THROWS_AS(throw 1, int);
  CHECK(2.0 == Approx(2.0));
}

TEST_CASE("unsafe counter", "[counter]") {
  UnsafeCounter counter;
  count_twice(counter);
}

TEST_CASE("two steps") {
  TwoStepCounter counter;
  const int total = count_twice(counter);
  REQUIRE(total == 2);
}

TEST_CASE("second section") {
  TwoStepCounter counter;
  counter.add();
  SECTION("alone") { CHECK(counter.value() == 1); }
  SECTION("together") { CHECK(count_twice(counter) == 3); }
}

struct Fixture {
  SafeCounter counter;
};
TEST_CASE_METHOD(Fixture, "fixture") { REQUIRE(count_twice(counter) == 2); }
