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
// CASE Skips.OneParameter: data-race
// CASE SkipsTypes.OneType: data-race
// CASE SkipsAll.Constructor: clear
// CASE Said.Trace: data-race
// CASE Later/Counts: data-race
// CASE Once.ForAllParameters: clear
// CASE Said.Property: data-race
// CASE Checks.All: clear
// CASE Checks.Captured: inconclusive CaptureStdout (not in Heddle's model)
// CASE Expected.Fatal: clear
// CASE Expected.OtherThreads: clear
// CASE Expected.NotAlways: assertion 'EXPECT_NONFATAL_FAILURE(EXPECT_EQ(count_twice(counter), 2))' fails: fatal failures: 0, others: 0
// CASE Prepared.ByTheEnvironment: clear
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

// What one run skips, the next one does not.
class Skips : public ::testing::TestWithParam<int> {};
TEST_P(Skips, OneParameter) {
  if (GetParam() == 0) GTEST_SKIP() << "none";
  UnsafeCounter counter;
  count_twice(counter);
}
INSTANTIATE_TEST_SUITE_P(Some, Skips, ::testing::Values(0, 1));

template <typename T>
class SkipsTypes : public ::testing::Test {};
using Both = ::testing::Types<char, int>;
TYPED_TEST_SUITE(SkipsTypes, Both);
TYPED_TEST(SkipsTypes, OneType) {
  if (sizeof(TypeParam) == 1) GTEST_SKIP();
  UnsafeCounter counter;
  count_twice(counter);
}

class SkipsAll : public ::testing::Test {
 protected:
  SkipsAll() { skip(); }
  void skip() { GTEST_SKIP(); }
  void SetUp() override { count_twice(counter_); }
  UnsafeCounter counter_;
};
TEST_F(SkipsAll, Constructor) { count_twice(counter_); }

template <typename T>
class Counts : public ::testing::Test {};
TYPED_TEST_SUITE_P(Counts);
TYPED_TEST_P(Counts, Skipped) { GTEST_SKIP(); }
TYPED_TEST_P(Counts, Twice) {
  TypeParam counter;
  EXPECT_EQ(count_twice(counter), 2);
}
REGISTER_TYPED_TEST_SUITE_P(Counts, Skipped, Twice);
using Counters = ::testing::Types<SafeCounter, UnsafeCounter>;
INSTANTIATE_TYPED_TEST_SUITE_P(Later, Counts, Counters);

class Once : public ::testing::TestWithParam<int> {
 protected:
  static void SetUpTestSuite() { ++times; }
  static int times;
};
int Once::times;
TEST_P(Once, ForAllParameters) {
  SafeCounter counter;
  EXPECT_EQ(count_twice(counter), times + 1);
}
INSTANTIATE_TEST_SUITE_P(Some, Once, ::testing::Values(1, 2));

// What is said is read at once.
TEST(Said, Trace) {
  int value = 0;
  std::thread other([&] { ++value; });
  SCOPED_TRACE(value);
  other.join();
}

TEST(Said, Property) {
  int value = 0;
  std::thread other([&] { ++value; });
  RecordProperty("value", value);
  other.join();
}

bool ordered(int a, int b, int c) { return a < b && b < c; }
TEST(Checks, All) {
  SafeCounter counter;
  const int two = count_twice(counter);
  EXPECT_STRCASENE("a", "B");
  ASSERT_PRED3(ordered, 1, two, 3);
  EXPECT_PRED_FORMAT2(::testing::FloatLE, 1.0f, two / 2.0f);
  EXPECT_DOUBLE_EQ(0.1 + 0.2, 0.3);
  EXPECT_DEBUG_DEATH(__builtin_abort(), "");
  GTEST_FLAG_SET(shuffle, true);
}

TEST(Checks, Captured) {
  SafeCounter counter;
  ::testing::internal::CaptureStdout();
  count_twice(counter);
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "");
}

TEST(Expected, Fatal) {
  SafeCounter counter;
  count_twice(counter);
  EXPECT_FATAL_FAILURE(ASSERT_EQ(2, 3) << "no", "no");
  EXPECT_FATAL_FAILURE(FAIL(), "");
}

TEST(Expected, OtherThreads) {
  EXPECT_NONFATAL_FAILURE_ON_ALL_THREADS(std::thread([] { EXPECT_EQ(1, 2); }).join(), "");
}

TEST(Expected, NotAlways) {
  TwoStepCounter counter;
  EXPECT_NONFATAL_FAILURE(EXPECT_EQ(count_twice(counter), 2), "");
}

// Environments are set up also where the main is the framework's.
class Prepares : public ::testing::Environment {
 public:
  void SetUp() override { ready = 2; }
  static int ready;
};
int Prepares::ready;
::testing::Environment* const prepares = ::testing::AddGlobalTestEnvironment(new Prepares);
TEST(Prepared, ByTheEnvironment) {
  SafeCounter counter;
  EXPECT_EQ(count_twice(counter), Prepares::ready);
}

}  // namespace
