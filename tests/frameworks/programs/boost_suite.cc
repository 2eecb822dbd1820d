// CASE counters/one_thread: none
// CASE counters/safe: clear
// CASE counters/unsafe: data-race
// CASE counters/two_steps: assertion 'BOOST_TEST(total == 2)' fails: not 1 == 2
// CASE with_fixture: assertion 'BOOST_CHECK_EQUAL(count_twice(counter), 2)' fails: not 1 == 2
// CASE set_up: data-race
// CASE global: clear
// CASE info: data-race
// CASE context: data-race
// CASE checkpoint: data-race
// CASE not_shown: clear
// CASE tolerance: clear
// CASE too_far: assertion 'BOOST_TEST(made == 0.3, boost::test_tools::tolerance(1e-9))' fails: not 0.30001 == 0.3
// CASE tolerant: clear
// CASE collections: clear
// CASE other_items: assertion 'BOOST_CHECK_EQUAL_COLLECTIONS(made.begin(), made.end(), wanted.begin(), wanted.end())' fails: not 1 == 2
// CASE known_to_fail: clear
// CASE fails_once: clear
// CASE fails_wholly: assertion 'BOOST_REQUIRE_EQUAL(count_twice(counter), 3)' fails: not 2 == 3
// CASE off: clear
// CASE types: data-race
// CASE data: assertion 'BOOST_TEST(count_twice(counter) == wanted)' fails: not 2 == 3
// CASE data_of_two: data-race
// CASE data_with_fixture: clear
// CASE counters/types_with_fixture: clear
#define BOOST_TEST_MODULE counters
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <thread>
#include <vector>

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

struct Prepared {
  std::thread other;
  UnsafeCounter counter;
  void setup() {
    other = std::thread([this] { counter.add(); });
  }
  void teardown() { other.join(); }
};
BOOST_FIXTURE_TEST_CASE(set_up, Prepared) { counter.add(); }

// It begins after all static objects are there.
struct Global {
  Global() { ready = *start; }
  void setup() { ++ready; }
  static int ready;
  static const int* start;
};
int Global::ready;
BOOST_TEST_GLOBAL_FIXTURE(Global);
static int one() { return 1; }
static const int first = one();
const int* Global::start = &first;
BOOST_AUTO_TEST_CASE(global) {
  SafeCounter counter;
  BOOST_TEST(count_twice(counter) == Global::ready);
}

// Contexts and checkpoints are written at once, messages of the log and of checks that hold never.
BOOST_AUTO_TEST_CASE(info) {
  int value = 0;
  std::thread other([&] { ++value; });
  BOOST_TEST_INFO("value " << value);
  other.join();
}

BOOST_AUTO_TEST_CASE(context) {
  int value = 0;
  std::thread other([&] { ++value; });
  BOOST_TEST_CONTEXT("value " << value, "of one") { BOOST_TEST(true); }
  other.join();
}

BOOST_AUTO_TEST_CASE(checkpoint) {
  int value = 0;
  std::thread other([&] { ++value; });
  BOOST_TEST_CHECKPOINT("value " << value);
  other.join();
}

BOOST_AUTO_TEST_CASE(not_shown) {
  int value = 0;
  std::thread other([&] { ++value; });
  BOOST_TEST_MESSAGE("value " << value << std::hex);
  BOOST_TEST(true, "value " << value);
  BOOST_CHECK_MESSAGE(true, "value " << value);
  BOOST_WARN_MESSAGE(false, "value " << value);
  other.join();
}

BOOST_AUTO_TEST_CASE(tolerance) {
  double made = 0;
  std::thread([&] { made = 0.1 + 0.2; }).join();
  BOOST_TEST(made == 0.3, boost::test_tools::tolerance(1e-9));
  BOOST_TEST(made <= 0.3, 1e-7 % boost::test_tools::tolerance());
  BOOST_TEST(made != 0.3);
  BOOST_CHECK_CLOSE(made, 0.3, 1e-7);
  BOOST_WARN_CLOSE_FRACTION(made, 0.4, 1e-7);
  BOOST_REQUIRE_SMALL(made - 0.3, 1e-9);
}

BOOST_AUTO_TEST_CASE(too_far) {
  double made = 0;
  std::thread([&] { made = 0.30001; }).join();
  BOOST_TEST(made == 0.3, boost::test_tools::tolerance(1e-9));
}

BOOST_AUTO_TEST_CASE(tolerant, *boost::unit_test::label("near") * boost::unit_test::tolerance(0.1)) {
  double made = 0;
  std::thread([&] { made = 0.31; }).join();
  BOOST_TEST(made == 0.3);
}

BOOST_AUTO_TEST_CASE(collections) {
  std::vector<int> made, wanted{1, 2};
  std::thread([&] { made = {1, 2}; }).join();
  BOOST_CHECK_EQUAL_COLLECTIONS(made.begin(), made.end(), wanted.begin(), wanted.end());
  BOOST_TEST(made == wanted, boost::test_tools::per_element());
  BOOST_TEST(made == wanted);
  char text[] = "text";
  BOOST_TEST("text" == text);
  BOOST_CHECK_EQUAL("text", text);
  BOOST_CHECK_PREDICATE([](int a, int b) { return a < b; }, (1)(2));
}

BOOST_AUTO_TEST_CASE(other_items) {
  std::vector<int> made, wanted{2};
  std::thread([&] { made = {1}; }).join();
  BOOST_CHECK_EQUAL_COLLECTIONS(made.begin(), made.end(), wanted.begin(), wanted.end());
}

BOOST_AUTO_TEST_CASE(known_to_fail, *boost::unit_test::expected_failures(1)) {
  SafeCounter counter;
  BOOST_CHECK_EQUAL(count_twice(counter), 3);
}

BOOST_TEST_DECORATOR(*boost::unit_test::expected_failures(1));
BOOST_AUTO_TEST_CASE(fails_once) {
  SafeCounter counter;
  BOOST_CHECK_EQUAL(count_twice(counter), 3);
}

BOOST_AUTO_TEST_CASE(fails_wholly, *boost::unit_test::expected_failures(1)) {
  SafeCounter counter;
  BOOST_REQUIRE_EQUAL(count_twice(counter), 3);
}

BOOST_AUTO_TEST_CASE(off, *boost::unit_test::disabled()) {
  UnsafeCounter counter;
  count_twice(counter);
}

using Counters = std::tuple<SafeCounter, UnsafeCounter>;
BOOST_AUTO_TEST_CASE_TEMPLATE(types, Counter, Counters) {
  Counter counter;
  count_twice(counter);
}

BOOST_AUTO_TEST_SUITE(counters)
using Safe = std::tuple<SafeCounter>;
BOOST_FIXTURE_TEST_CASE_TEMPLATE(types_with_fixture, Counter, Safe, Fixture) {
  Counter other;
  BOOST_TEST(count_twice(other) == 2);
}
BOOST_AUTO_TEST_SUITE_END()

namespace bdata = boost::unit_test::data;
BOOST_DATA_TEST_CASE(data, bdata::xrange(2, 4), wanted) {
  SafeCounter counter;
  BOOST_TEST(count_twice(counter) == wanted);
}

const std::vector<int> kBefore = {0, 1};
BOOST_DATA_TEST_CASE(data_of_two, kBefore * bdata::make({1.5, 2.5}) ^ bdata::make({"a", "b", "c", "d"}), before, more, name) {
  UnsafeCounter counter;
  BOOST_TEST(before < more);
  if (name[0] == 'd') count_twice(counter);
}

BOOST_DATA_TEST_CASE_F(Fixture, data_with_fixture, bdata::make(1) + bdata::make(2)) {
  BOOST_TEST(count_twice(counter) <= sample + 1);
}
