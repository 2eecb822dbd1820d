// CASE Counter.OneThread: none
// CASE Counter.Safe: clear
// CASE Counter.Unsafe: data-race
// CASE Counter.TwoSteps: assertion 'EXPECT_EQ(count_twice(counter), 2)' fails: not 1 == 2
// CASE CounterTest.Fixture: assertion 'ASSERT_TRUE(second == 2)' fails: one was lost
// GoogleTest does not run a disabled test, so its wrong assertion must not be found:
// CASE CounterTest.DISABLED_Off: none
// CASE Start.Parameters: assertion 'EXPECT_EQ(last, GetParam() + 2)' fails: not 6 == 7
// CASE Shown.Threads: assertion 'EXPECT_EQ(seen, std::this_thread::get_id())' fails: not thread 2 == thread 1
// CASE Shown.Times: assertion 'EXPECT_GE(waited, std::chrono::seconds(1))' fails: not 250 ms >= 1 s
// CASE Shown.NoValue: assertion 'EXPECT_EQ(found, 3)' fails: not no value == 3
// CASE Shown.Pointers: assertion 'EXPECT_EQ(found, &other)' fails: the expression says more
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <thread>

#include "counter.h"

namespace {

TEST(Counter, OneThread) {
  UnsafeCounter counter;
  counter.add();
  EXPECT_EQ(counter.value(), 2);  // without threads it does not run
}

TEST(Counter, Safe) {
  SafeCounter counter;
  EXPECT_EQ(count_twice(counter), 2);
  EXPECT_NE(counter.value(), 3) << "value " << counter.value() << std::endl;
  EXPECT_THROW(throw 1, int);
  EXPECT_NO_THROW(counter.add());
}

TEST(Counter, Unsafe) {
  UnsafeCounter counter;
  count_twice(counter);
}

TEST(Counter, TwoSteps) {
  TwoStepCounter counter;
  EXPECT_EQ(count_twice(counter), 2);
}

class CounterTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { first = 1; }
  static void TearDownTestSuite() { first = 0; }
  void SetUp() override {
    if (first == 1) counter_.add();
  }
  static int first;
  TwoStepCounter counter_;
};
int CounterTest::first = 0;

TEST_F(CounterTest, Fixture) {
  const int second = count_twice(counter_) - 1;
  ASSERT_TRUE(second == 2) << "one was lost";
}

TEST_F(CounterTest, DISABLED_Off) { EXPECT_EQ(count_twice(counter_), 7); }

class Start : public ::testing::TestWithParam<int> {};

TEST_P(Start, Parameters) {
  TwoStepCounter counter;
  for (int n = 0; n < GetParam(); ++n) counter.add();
  const int last = GetParam() == 5 ? count_twice(counter) : GetParam() + 2;
  EXPECT_EQ(last, GetParam() + 2);
}
INSTANTIATE_TEST_SUITE_P(Some, Start, ::testing::Values(1, 5));

// What another thread makes is shown as people write it.
template <typename T>
T made_by_a_thread(T value) {
  T made{};
  std::thread([&] { made = value; }).join();
  return made;
}

TEST(Shown, Threads) {
  std::thread::id seen;
  std::thread([&] { seen = std::this_thread::get_id(); }).join();
  EXPECT_EQ(seen, std::this_thread::get_id());
}

TEST(Shown, Times) {
  const auto waited = made_by_a_thread(std::chrono::milliseconds(250));
  EXPECT_GE(waited, std::chrono::seconds(1));
}

TEST(Shown, NoValue) {
  const auto found = made_by_a_thread(std::optional<int>());
  EXPECT_EQ(found, 3);
}

TEST(Shown, Pointers) {
  static int one, other;
  int* const found = made_by_a_thread(&one);
  EXPECT_EQ(found, &other) << "the expression says more";
}

}  // namespace
