// CASE counters/one_thread: none
// CASE counters/safe: clear
// CASE counters/unsafe: data-race
// CASE counters/two_steps: assertion 'BOOST_TEST(total == 2)' fails: not 1 == 2
// CASE with_fixture: assertion 'BOOST_CHECK_EQUAL(count_twice(counter), 2)' fails: not 1 == 2
#define BOOST_TEST_MODULE counters
#include <boost/test/unit_test.hpp>

#include "counter.h"

BOOST_AUTO_TEST_SUITE(counters)

BOOST_AUTO_TEST_CASE(one_thread) {
  UnsafeCounter counter;
  BOOST_TEST(counter.value() == 1);
}

BOOST_AUTO_TEST_CASE(safe) {
  SafeCounter counter;
  BOOST_REQUIRE_EQUAL(count_twice(counter), 2);
  BOOST_CHECK_THROW(throw 1, int);
}

BOOST_AUTO_TEST_CASE(unsafe) {
  UnsafeCounter counter;
  count_twice(counter);
}

BOOST_AUTO_TEST_CASE(two_steps) {
  TwoStepCounter counter;
  const int total = count_twice(counter);
  BOOST_TEST(total == 2);
}

BOOST_AUTO_TEST_SUITE_END()

struct Fixture {
  TwoStepCounter counter;
};
BOOST_FIXTURE_TEST_CASE(with_fixture, Fixture) { BOOST_CHECK_EQUAL(count_twice(counter), 2); }
