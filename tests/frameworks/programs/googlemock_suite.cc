// CASE Matched.Right: clear
// CASE Matched.Wrong: assertion 'EXPECT_THAT(count_twice(counter), Eq(2))' fails: not so of 1
// CASE Matched.List: assertion 'ASSERT_THAT(seen, ElementsAre(1, 2))' fails: not so of { 2, 1 }
// CASE Matched.InAThread: assertion 'EXPECT_EQ(counter.value(), 1)' fails: not 2 == 1
// CASE Matched.OneThread: none
#include <gmock/gmock.h>

#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "counter.h"

namespace {

using namespace testing;

TEST(Matched, Right) {
  SafeCounter counter;
  EXPECT_THAT(count_twice(counter), AllOf(Ge(2), Not(Gt(2)), AnyOf(1, 2), _)) << "counted";
  EXPECT_THAT(std::vector<int>({1, 2}), ElementsAre(1, Gt(1)));
  EXPECT_THAT(std::vector<int>({1, 2}), AllOf(SizeIs(2), Contains(2), Each(Lt(3)), Not(IsEmpty())));
  EXPECT_THAT(std::string("a text"), AllOf(HasSubstr("tex"), StartsWith("a "), StrEq("a text"), "a text"));
  EXPECT_THAT(std::make_pair(1, 'x'), Pair(1, Ne('y')));
  int one = 1, *none = nullptr;
  EXPECT_THAT(&one, AllOf(NotNull(), Pointee(Eq(1))));
  EXPECT_THAT(none, IsNull());
  ASSERT_THAT(0.1 + 0.2, DoubleEq(0.3));
}

TEST(Matched, Wrong) {
  TwoStepCounter counter;
  EXPECT_THAT(count_twice(counter), Eq(2));
}

TEST(Matched, List) {
  std::mutex mutex;
  std::vector<int> seen;
  const auto add = [&](int value) {
    const std::lock_guard<std::mutex> lock(mutex);
    seen.push_back(value);
  };
  std::thread other([&] { add(1); });
  add(2);
  other.join();
  ASSERT_THAT(seen, ElementsAre(1, 2));
}

TEST(Matched, InAThread) {
  TwoStepCounter counter;
  std::thread other([&] {
    counter.add();
    EXPECT_EQ(counter.value(), 1);
  });
  counter.add();
  other.join();
}

TEST(Matched, OneThread) { EXPECT_THAT(1, Eq(2)); }

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
