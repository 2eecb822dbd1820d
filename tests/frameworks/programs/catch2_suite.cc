// CASE one thread: none
// CASE safe counter: clear
// CASE unsafe counter: data-race
// CASE two steps: assertion 'REQUIRE(total == 2)' fails: not 1 == 2
// CASE second section: assertion 'CHECK(count_twice(counter) == 3)' fails: not 2 == 3
// CASE fixture: clear
// CASE same names: data-race
// CASE section after a skip: data-race
// CASE capture: data-race
// CASE generated: assertion 'CHECK(count_twice(counter) == wanted)' fails: not 2 == 3
// CASE throws: clear
// CASE known to fail: clear
// CASE may fail: clear
// CASE should fail and does not: assertion '[!shouldfail]' fails: it did not fail
// CASE races though it may fail: data-race
// CASE own stream operator: data-race
// CASE with types: data-race
// CASE list in parentheses: clear
// CASE with values: assertion 'CHECK(count_twice(counter) == 1 + values)' fails: not 2 == 4
// CASE members with types: data-race
// CASE members with values: clear
// CASE product: data-race
// CASE product of values: clear
// CASE listed: data-race
// CASE members of a list: clear
// CASE a member function: data-race
// CASE kept fixture: assertion 'CHECK(counter.value() == 1)' fails: not 2 == 1
// CASE says how it looks: clear
// CASE near: assertion 'CHECK(made == Approx(0.0))' fails: not 1e-06 == 0
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>

#include <ostream>
#include <stdexcept>
#include <string>
#include <thread>

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

// Sections are known by name and place.
TEST_CASE("same names") {
  UnsafeCounter counter;
  SECTION("run") { counter.add(); }
  SECTION("run") { count_twice(counter); }
}

TEST_CASE("section after a skip") {
  UnsafeCounter counter;
  SECTION("outer") {
    SECTION("skipped") { SKIP("value " << counter.value()); }
    SECTION("run") { count_twice(counter); }
  }
}

// Values of messages are read at once.
TEST_CASE("capture") {
  UnsafeCounter counter;
  std::thread other([&] { counter.add(); });
  CAPTURE(1, counter.value());
  other.join();
}

std::ostream& operator<<(std::ostream& to, const UnsafeCounter& counter) { return to << counter.value(); }
TEST_CASE("own stream operator") {
  UnsafeCounter counter;
  std::thread other([&] { counter.add(); });
  INFO("value " << counter)  // Catch2 2 ends it itself
  other.join();
}

TEMPLATE_TEST_CASE("with types", "[counter]", SafeCounter, UnsafeCounter) {
  TestType counter;
  count_twice(counter);
}

template <typename First, typename Second>
struct Both {
  First first;
  Second second;
  int value() const { return first.value(); }
  void add() {
    first.add();
    second.add();
  }
};
TEMPLATE_TEST_CASE("list in parentheses", "[counter]", SafeCounter, (Both<SafeCounter, SafeCounter>)) {
  TestType counter;
  CHECK(count_twice(counter) == 2);
}

TEMPLATE_TEST_CASE_SIG("with values", "[counter]", ((typename Counter, int values), Counter, values),
                       (SafeCounter, 1), (SafeCounter, 3)) {
  Counter counter;
  CHECK(count_twice(counter) == 1 + values);
}

template <typename Counter>
struct Counts {
  Counter counter;
};
TEMPLATE_TEST_CASE_METHOD(Counts, "members with types", "[counter]", SafeCounter, UnsafeCounter) {
  count_twice(this->counter);
}

template <int values>
struct CountsTo {
  SafeCounter counter;
};
TEMPLATE_TEST_CASE_METHOD_SIG(CountsTo, "members with values", "[counter]", ((int values), values), 2, 3) {
  CHECK(count_twice(this->counter) <= values);
}

TEMPLATE_PRODUCT_TEST_CASE("product", "[counter]", (Both, std::pair),
                           ((SafeCounter, SafeCounter), (UnsafeCounter, SafeCounter))) {
  TestType both;
  count_twice(both.first);
}

template <typename Counter, int values>
struct CountsBoth : CountsTo<values> {};
TEMPLATE_PRODUCT_TEST_CASE_SIG("product of values", "[counter]", ((typename T, int n), T, n), (CountsBoth),
                               ((SafeCounter, 2), (UnsafeCounter, 3))) {
  TestType counts;
  CHECK(count_twice(counts.counter) == 2);
}

using Counters = std::pair<SafeCounter, UnsafeCounter>;
TEMPLATE_LIST_TEST_CASE("listed", "[counter]", Counters) {
  TestType counter;
  count_twice(counter);
}
TEMPLATE_LIST_TEST_CASE_METHOD(Counts, "members of a list", "[counter]", std::tuple<SafeCounter, TwoStepCounter>) {
  count_twice(this->counter);
}

struct Member {
  UnsafeCounter counter;
  void counts() { count_twice(counter); }
};
METHOD_AS_TEST_CASE(Member::counts, "a member function", "[counter]")

struct Kept {
  mutable SafeCounter counter;
};
TEST_CASE_PERSISTENT_FIXTURE(Kept, "kept fixture") {
  std::thread([this] { counter.add(); }).join();
  SECTION("one") { CHECK(counter.value() == 1); }
  SECTION("two") { CHECK(counter.value() == 1); }
}

template <>
struct Catch::StringMaker<SafeCounter> {
  static std::string convert(const SafeCounter& counter) { return std::to_string(counter.value()); }
};
CATCH_TRANSLATE_EXCEPTION(const SafeCounter& counter) { return Catch::Detail::stringify(counter); }
TEST_CASE("says how it looks") {
  SafeCounter counter;
  count_twice(counter);
  CHECK(Catch::Detail::stringify(counter) == "2");
  CHECK_THAT("a text", Catch::Matchers::EndsWith("text"));
  CHECK_THAT(2.0, Catch::Matchers::WithinRel(2.1, 0.1));
  CHECK_THAT((std::vector<int>{1, 2}), Catch::Matchers::UnorderedEquals(std::vector<int>{2, 1}));
  CHECK_THAT(std::string(), Catch::Matchers::IsEmpty() && !Catch::Matchers::SizeIs(1));
}

TEST_CASE("generated") {
  SafeCounter counter;
  const int wanted = GENERATE(2, 3);
  SECTION("none") {}
  SECTION("together") { CHECK(count_twice(counter) == wanted); }
}

TEST_CASE("throws") {
  SafeCounter counter;
  count_twice(counter);
  REQUIRE_THROWS_WITH(throw std::runtime_error("a text"), "a text");
  CHECK_THROWS_WITH(throw std::string("a text"), "a text");
  REQUIRE_NOTHROW(counter.add());
  CHECK_THROWS_WITH(throw 1.5, !Catch::Matchers::Contains("text"));
  REQUIRE_THROWS_MATCHES(throw std::runtime_error("a text"), std::runtime_error, Catch::Matchers::Message("a text"));
  CHECK_THAT(counter.value(), Catch::Matchers::WithinAbs(3, 0.1) || Catch::Matchers::WithinAbs(4, 0.1));
}

TEST_CASE("known to fail", "[counter][!shouldfail]") {
  SafeCounter counter;
  SECTION("check") { CHECK(count_twice(counter) == 3); }
  SECTION("require") {
    REQUIRE(count_twice(counter) == 3);
    throw 1;
  }
}

TEST_CASE("may fail", "[!mayfail]") {
  TwoStepCounter counter;
  REQUIRE(count_twice(counter) == 2);
}

TEST_CASE("should fail and does not", "[!shouldfail]") {
  SafeCounter counter;
  CHECK(count_twice(counter) == 2);
}

TEST_CASE("races though it may fail", "[!mayfail]") {
  UnsafeCounter counter;
  CHECK(count_twice(counter) == 3);
}

TEST_CASE("near") {
  double made = 0;
  std::thread([&] { made = 1e-6; }).join();
  CHECK(made + 1 == Approx(1.0));
  CHECK(made == Approx(0.0).margin(1e-5));
  CHECK(made == Approx(0.0));
}
