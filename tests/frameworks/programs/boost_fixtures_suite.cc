// Fixtures of a case, a suite and the module that own threads, and data for a number of threads.
#define BOOST_TEST_MODULE fixtures
// CASE with_a_thread: clear
// CASE read_too_early: data-race
// CASE of_the_suite/joins: clear
// CASE of_the_suite/does_not_join: data-race
// CASE threads_by_data: assertion 'BOOST_TEST(counter.value() == threads)' fails
// CASE safe_threads_by_data: clear
// CASE two_data: clear
// CASE data_and_fixture: clear
// CASE prepared_by_the_module: clear
// CASE set_up_and_torn_down: data-race
// CASE typed: data-race
#include <boost/test/included/unit_test.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <tuple>
#include <vector>

#include "counter.h"

namespace data = boost::unit_test::data;

template <typename Counter>
void count_with(int threads, Counter& counter) {
  std::vector<std::thread> all;
  for (int n = 0; n < threads; ++n) all.emplace_back([&] { counter.add(); });
  for (std::thread& one : all) one.join();
}

struct Running {
  Running() : thread([this] { counter.add(); }) {}
  ~Running() {
    if (thread.joinable()) thread.join();
  }
  UnsafeCounter counter;
  std::thread thread;
};

static int prepared = 0;
struct Module {
  Module() { std::thread([] { prepared = 2; }).join(); }
};
BOOST_GLOBAL_FIXTURE(Module);

BOOST_FIXTURE_TEST_CASE(with_a_thread, Running) {
  thread.join();
  BOOST_TEST(counter.value() == 1);
}

BOOST_FIXTURE_TEST_CASE(read_too_early, Running) { BOOST_CHECK_GE(counter.value(), 0); }

BOOST_FIXTURE_TEST_SUITE(of_the_suite, Running)
BOOST_AUTO_TEST_CASE(joins) {
  thread.join();
  BOOST_CHECK_EQUAL(counter.value(), 1);
}
BOOST_AUTO_TEST_CASE(does_not_join) { counter.add(); }
BOOST_AUTO_TEST_SUITE_END()

BOOST_DATA_TEST_CASE(threads_by_data, data::make({1, 2}), threads) {
  TwoStepCounter counter;
  count_with(threads, counter);
  BOOST_TEST(counter.value() == threads);
}

BOOST_DATA_TEST_CASE(safe_threads_by_data, data::xrange(1, 3), threads) {
  SafeCounter counter;
  count_with(threads, counter);
  BOOST_TEST(counter.value() == threads);
}

BOOST_DATA_TEST_CASE(two_data, data::make({1, 2}) ^ data::make({2, 1}), first, second) {
  SafeCounter counter;
  count_with(first, counter);
  count_with(second, counter);
  BOOST_TEST(counter.value() == 3);
}

struct Safe {
  SafeCounter counter;
};
BOOST_DATA_TEST_CASE_F(Safe, data_and_fixture, data::make({1, 2}), threads) {
  count_with(threads, counter);
  BOOST_TEST(counter.value() == threads);
}

BOOST_AUTO_TEST_CASE(prepared_by_the_module) {
  std::thread other([] { BOOST_TEST(prepared == 2); });
  other.join();
}

struct Steps {
  void setup() { thread = std::thread([this] { counter.add(); }); }
  void teardown() {
    counter.add();
    thread.join();
  }
  UnsafeCounter counter;
  std::thread thread;
};
BOOST_FIXTURE_TEST_CASE(set_up_and_torn_down, Steps) { BOOST_TEST(thread.joinable()); }

using Counters = std::tuple<SafeCounter, UnsafeCounter>;
BOOST_AUTO_TEST_CASE_TEMPLATE(typed, Counter, Counters) {
  Counter counter;
  count_twice(counter);
}
