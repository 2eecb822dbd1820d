// Sections within sections, generators, scenarios and fixtures with threads.
// CASE threads before a section: clear
// CASE a section races with a thread: data-race
// CASE inner sections: assertion 'CHECK(counter.value() == 2)' fails: not 1 == 2
// CASE generated threads: assertion 'REQUIRE(counter.value() == threads)' fails
// CASE generated safely: clear
// CASE two generators: clear
// CASE a generator in a section: data-race
// CASE Scenario: two threads: data-race
// CASE Scenario: two safe threads: clear
// CASE a fixture with a thread: clear
// CASE a fixture is read too early: data-race
// CASE after a failed check: assertion 'CHECK(count_twice(counter) == 2)' fails: not 1 == 2
#include <catch2/catch.hpp>

#include <vector>

#include "counter.h"

namespace {

template <typename Counter>
void count_with(int threads, Counter& counter) {
  std::vector<std::thread> all;
  for (int n = 0; n < threads; ++n) all.emplace_back([&] { counter.add(); });
  for (std::thread& one : all) one.join();
}

class Running {
 public:
  Running() : thread_([this] { counter_.add(); }) {}
  ~Running() {
    if (thread_.joinable()) thread_.join();
  }

 protected:
  UnsafeCounter counter_;
  std::thread thread_;
};

}  // namespace

TEST_CASE("threads before a section") {
  SafeCounter counter;
  std::thread other([&] { counter.add(); });
  SECTION("one more") { counter.add(); }
  SECTION("two more") {
    counter.add();
    counter.add();
  }
  other.join();
  CHECK(counter.value() >= 2);
}

TEST_CASE("a section races with a thread") {
  UnsafeCounter counter;
  std::thread other([&] { counter.add(); });
  SECTION("waits") { other.join(); }
  SECTION("does not wait") { counter.add(); }
  if (other.joinable()) other.join();
}

TEST_CASE("inner sections") {
  TwoStepCounter counter;
  SECTION("outer") {
    SECTION("alone") { counter.add(); }
    SECTION("together") {
      count_twice(counter);
      CHECK(counter.value() == 2);
    }
  }
}

TEST_CASE("generated threads") {
  const int threads = GENERATE(1, 2);
  TwoStepCounter counter;
  count_with(threads, counter);
  REQUIRE(counter.value() == threads);
}

TEST_CASE("generated safely") {
  const int threads = GENERATE(range(1, 3));
  SafeCounter counter;
  count_with(threads, counter);
  REQUIRE(counter.value() == threads);
}

TEST_CASE("two generators") {
  const int first = GENERATE(1, 2);
  const int second = GENERATE(0, 1);
  SafeCounter counter;
  count_with(first, counter);
  count_with(second, counter);
  CHECK(counter.value() == first + second);
}

TEST_CASE("a generator in a section") {
  SECTION("without threads") { CHECK(GENERATE(1, 2) > 0); }
  SECTION("with threads") {
    UnsafeCounter counter;
    count_with(GENERATE(1, 2), counter);
  }
}

SCENARIO("two threads") {
  GIVEN("a counter") {
    UnsafeCounter counter;
    WHEN("two threads add") {
      count_twice(counter);
      THEN("it has both") { CHECK(counter.value() <= 2); }
    }
  }
}

SCENARIO("two safe threads") {
  GIVEN("a counter") {
    SafeCounter counter;
    WHEN("one thread adds") {
      counter.add();
      THEN("it has one") { CHECK(counter.value() == 1); }
    }
    WHEN("two threads add") {
      count_twice(counter);
      THEN("it has both") { CHECK(counter.value() == 2); }
    }
  }
}

TEST_CASE_METHOD(Running, "a fixture with a thread") {
  thread_.join();
  CHECK(counter_.value() == 1);
}

TEST_CASE_METHOD(Running, "a fixture is read too early") { CHECK(counter_.value() >= 0); }

TEST_CASE("after a failed check") {
  TwoStepCounter counter;
  UnsafeCounter other;
  CHECK(count_twice(counter) == 2);
  other.add();
}
