// Fixtures that own threads, state of a whole suite, and statements that end the process.
// CASE Worker.StartedByTheFixture: clear
// CASE Worker.ReadTooEarly: data-race
// CASE Constructed.JoinedByTheDestructor: clear
// CASE Constructed.AssertsWhileItRuns: data-race
// CASE Shared.First: clear
// CASE Shared.Second: assertion 'EXPECT_EQ(count_twice(*shared), 3)' fails: not 2 == 3
// CASE OldNames.SetUpOfTheCase: data-race
// CASE Sizes.Threads: assertion 'EXPECT_EQ(counter.value(), GetParam())' fails
// CASE SafeSizes.Threads: clear
// CASE Kinds.Twice: data-race
// CASE SafeKinds.Twice: clear
// CASE Ends.AfterTheThreads: data-race
// CASE Ends.OnlyByDeath: clear
// CASE Fails.InATearDown: assertion 'EXPECT_EQ(counter_.value(), 2)' fails: not 1 == 2
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>
#include <tuple>
#include <vector>

#include "counter.h"

namespace {

class Worker : public testing::Test {
 protected:
  void SetUp() override { thread_ = std::thread([this] { counter_.add(); }); }
  void TearDown() override {
    if (thread_.joinable()) thread_.join();
  }
  UnsafeCounter counter_;
  std::thread thread_;
};

TEST_F(Worker, StartedByTheFixture) {
  thread_.join();
  EXPECT_EQ(counter_.value(), 1);
}

TEST_F(Worker, ReadTooEarly) { EXPECT_LE(counter_.value(), 1); }

class Constructed : public testing::Test {
 protected:
  Constructed() : thread_([this] { counter_.add(); }) {}
  ~Constructed() override { thread_.join(); }
  UnsafeCounter counter_;
  std::thread thread_;
};

TEST_F(Constructed, JoinedByTheDestructor) { EXPECT_TRUE(thread_.joinable()); }

TEST_F(Constructed, AssertsWhileItRuns) { ASSERT_GE(counter_.value(), 0); }

class Shared : public testing::Test {
 protected:
  static void SetUpTestSuite() { shared = std::make_unique<SafeCounter>(); }
  static void TearDownTestSuite() { shared.reset(); }
  static std::unique_ptr<SafeCounter> shared;
};
std::unique_ptr<SafeCounter> Shared::shared;

TEST_F(Shared, First) { EXPECT_EQ(count_twice(*shared), 2); }

TEST_F(Shared, Second) { EXPECT_EQ(count_twice(*shared), 3); }

class OldNames : public testing::Test {
 protected:
  static void SetUpTestCase() { thread = new std::thread([] { ++count; }); }
  static void TearDownTestCase() {
    thread->join();
    delete thread;
  }
  static std::thread* thread;
  static int count;
};
std::thread* OldNames::thread;
int OldNames::count = 0;

TEST_F(OldNames, SetUpOfTheCase) { ++count; }

template <typename Counter>
int count_with(int threads, Counter& counter) {
  std::vector<std::thread> all;
  for (int n = 0; n < threads; ++n) all.emplace_back([&] { counter.add(); });
  for (std::thread& one : all) one.join();
  return counter.value();
}

class Sizes : public testing::TestWithParam<int> {};
TEST_P(Sizes, Threads) {
  TwoStepCounter counter;
  count_with(GetParam(), counter);
  EXPECT_EQ(counter.value(), GetParam());
}
INSTANTIATE_TEST_SUITE_P(Each, Sizes, testing::Range(1, 3));

class SafeSizes : public testing::TestWithParam<std::tuple<int, bool>> {};
TEST_P(SafeSizes, Threads) {
  const auto [threads, twice] = GetParam();
  SafeCounter counter;
  EXPECT_EQ(count_with(threads, counter), threads);
  if (twice) EXPECT_EQ(count_with(threads, counter), 2 * threads);
}
INSTANTIATE_TEST_SUITE_P(Each, SafeSizes, testing::Combine(testing::Values(1, 2), testing::Bool()));

template <typename Counter>
class Kinds : public testing::Test {};
using AllKinds = testing::Types<SafeCounter, UnsafeCounter>;
TYPED_TEST_SUITE(Kinds, AllKinds);
TYPED_TEST(Kinds, Twice) {
  TypeParam counter;
  count_twice(counter);
}

template <typename Counter>
class SafeKinds : public testing::Test {
 protected:
  Counter counter_;
};
using RightKinds = testing::Types<SafeCounter, TwoStepCounter>;
TYPED_TEST_SUITE(SafeKinds, RightKinds);
TYPED_TEST(SafeKinds, Twice) {
  count_twice(this->counter_);
  EXPECT_GE(this->counter_.value(), 1);
}

// The statement runs in a process of its own, where it ends that process.
TEST(Ends, AfterTheThreads) {
  UnsafeCounter counter;
  count_twice(counter);
  EXPECT_DEATH(std::abort(), "");
  EXPECT_EXIT(std::exit(3), testing::ExitedWithCode(3), "");
}

TEST(Ends, OnlyByDeath) {
  SafeCounter counter;
  EXPECT_EQ(count_twice(counter), 2);
  ASSERT_DEATH({ std::abort(); }, ".*");
}

class Fails : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(counter_.value(), 2); }
  TwoStepCounter counter_;
};
TEST_F(Fails, InATearDown) { count_twice(counter_); }

}  // namespace
