// CASE one thread: none
// CASE safe counter: clear
// CASE unsafe counter: data-race
// CASE two steps: assertion 'CHECK_EQ(count_twice(counter), 2)' fails: not 1 == 2
// CASE second subcase: assertion 'CHECK(count_twice(counter) == 3)' fails: not 2 == 3
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

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
