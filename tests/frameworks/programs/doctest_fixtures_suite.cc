// Messages that are written only when a check fails, scenarios, and fixtures with threads.
// CASE a message reads what another thread writes: clear
// CASE a message that calls: clear
// CASE a failing check writes its message: assertion 'CHECK_MESSAGE(false)' fails: value 1
// CASE a fixture with a thread: clear
// CASE a fixture is read too early: data-race
// CASE inner subcases: assertion 'CHECK(counter.value() == 2)' fails: not 1 == 2
// CASE   Scenario: two threads: data-race
// CASE a thread checks: assertion 'CHECK(counter.value() == 2)' fails
// CASE throws in a thread: clear
#include <doctest/doctest.h>

#include <stdexcept>

#include "counter.h"

namespace {

struct Running {
  Running() : thread([this] { counter.add(); }) {}
  ~Running() {
    if (thread.joinable()) thread.join();
  }
  UnsafeCounter counter;
  std::thread thread;
};

}  // namespace

TEST_CASE("a message reads what another thread writes") {
  UnsafeCounter counter;
  std::thread other([&] { counter.add(); });
  INFO("value " << 1, counter.value());
  CHECK(true);
  other.join();
}

TEST_CASE("a message that calls") {
  int calls = 0;
  std::thread other([&] { ++calls; });
  const auto call = [&] { return ++calls; };
  INFO("calls ", call());
  {
    INFO("again ", call());
    CHECK(other.joinable());
  }
  other.join();
  CHECK(calls == 1);
}

TEST_CASE("a failing check writes its message") {
  UnsafeCounter counter;
  std::thread other([&] { counter.add(); });
  other.join();
  CHECK_MESSAGE(false, "value ", counter.value());
}

TEST_CASE_FIXTURE(Running, "a fixture with a thread") {
  thread.join();
  CHECK(counter.value() == 1);
}

TEST_CASE_FIXTURE(Running, "a fixture is read too early") { CHECK(counter.value() >= 0); }

TEST_CASE("inner subcases") {
  TwoStepCounter counter;
  SUBCASE("outer") {
    SUBCASE("alone") { counter.add(); }
    SUBCASE("together") {
      count_twice(counter);
      CHECK(counter.value() == 2);
    }
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

TEST_CASE("a thread checks") {
  TwoStepCounter counter;
  std::thread other([&] {
    counter.add();
    CHECK(counter.value() == 2);
  });
  counter.add();
  other.join();
}

TEST_CASE("throws in a thread") {
  SafeCounter counter;
  std::thread other([&] {
    CHECK_THROWS_AS(throw std::runtime_error("wanted"), std::runtime_error);
    counter.add();
  });
  CHECK_NOTHROW(counter.add());
  other.join();
  CHECK(counter.value() == 2);
}
