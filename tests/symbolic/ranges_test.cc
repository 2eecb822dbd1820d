// Each operation on ranges of values with known bits, compared with every value of 1 to 5 bits tried one by one.
#include "server/symbolic/ranges.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "server/symbolic/arithmetic.h"

namespace heddle::symbolic {
namespace {

bool has(const Range& range, uint64_t value) {
  return range.least <= value && value <= range.most && (value & range.zeros) == 0 && (~value & range.ones) == 0;
}

std::string text_of(const Range& range) {
  return std::to_string(range.least) + ".." + std::to_string(range.most) + " zeros " + std::to_string(range.zeros) +
         " ones " + std::to_string(range.ones);
}

class Random {
 public:
  explicit Random(unsigned seed) : random_(seed) {}
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }

  // With at least one value.
  Range range(unsigned width) {
    for (;;) {
      const uint64_t one = below(1u << width), other = below(4) == 0 ? one : below(1u << width);
      Range result = common(range_of_all(width), {std::min(one, other), std::max(one, other), 0, 0});
      if (below(2) == 0) {
        const uint64_t known = below(1u << width) & below(1u << width), bits = below(1u << width);
        result = common(result, {0, mask_of(width), known & bits, known & ~bits});
      }
      if (!result.is_empty()) return result;
    }
  }

  // The operation with its widths: of the operands, then of the result.
  Node node(std::vector<unsigned>& widths) {
    const auto operation = static_cast<Operation>(static_cast<unsigned>(Operation::Add) + below(21));
    const unsigned width = 1 + below(5);
    Node node{operation, static_cast<uint8_t>(width), 0, {}};
    widths.assign(operands_of(operation), width);
    switch (operation) {
      case Operation::Equal:
      case Operation::UnsignedLess:
      case Operation::SignedLess: node.width = 1; break;
      case Operation::Select: widths[0] = 1; break;
      case Operation::ZeroExtend:
      case Operation::SignExtend: widths[0] = 1 + below(width); break;
      case Operation::Extract:
        node.value = below(3);
        widths[0] = width + static_cast<unsigned>(node.value) + below(2);
        break;
      case Operation::Concatenate:
        widths[1] = 1 + below(3);
        node.width = static_cast<uint8_t>(widths[0] + widths[1]);
        break;
      default: break;
    }
    return node;
  }

 private:
  std::mt19937 random_;
};

void compare_with_every_value(Random& random) {
  std::vector<unsigned> widths;
  const Node node = random.node(widths);
  const Shape shape{&node, widths[0], widths.size() > 1 ? widths[1] : 0};
  Operands operands{};
  for (size_t n = 0; n < widths.size(); ++n) operands[n] = random.range(widths[n]);
  const Range wanted = random.range(node.width), result = forwards(shape, operands);
  Operands narrowed = operands;
  const bool possible = backwards(shape, wanted, narrowed);
  uint64_t values[3] = {0, 0, 0};
  const auto end = [&](size_t n) { return n < widths.size() ? uint64_t{1} << widths[n] : 1; };
  for (values[0] = 0; values[0] < end(0); ++values[0])
    for (values[1] = 0; values[1] < end(1); ++values[1])
      for (values[2] = 0; values[2] < end(2); ++values[2]) {
        bool given = true;
        for (size_t n = 0; n < widths.size(); ++n) given = given && has(operands[n], values[n]);
        if (!given) continue;
        const uint64_t value = result_of(node, shape.width, shape.low_width, values);
        ASSERT_TRUE(has(result, value)) << static_cast<int>(node.operation) << " of " << values[0] << ", " << values[1]
                                        << " is " << value << ", not in " << text_of(result);
        if (!has(wanted, value)) continue;
        ASSERT_TRUE(possible) << static_cast<int>(node.operation) << " of " << values[0] << ", " << values[1];
        for (size_t n = 0; n < widths.size(); ++n)
          ASSERT_TRUE(has(narrowed[n], values[n]))
              << static_cast<int>(node.operation) << ", operand " << n << ": " << values[n] << " from "
              << text_of(operands[n]) << " leads to " << text_of(wanted) << ", not in " << text_of(narrowed[n]);
      }
}

TEST(Ranges, LeaveOutOnlyWhatIsImpossible) {
  Random random(7);
  for (int n = 0; n < 200'000 && !::testing::Test::HasFatalFailure(); ++n) compare_with_every_value(random);
}

TEST(Ranges, HaveTheLeastAndTheGreatestValueWithTheirBits) {
  Random random(8);
  for (int n = 0; n < 20'000; ++n) {
    const unsigned width = 1 + random.below(6);
    const uint64_t least = random.below(1u << width), most = random.below(1u << width);
    const uint64_t zeros = random.below(1u << width) & random.below(1u << width);
    const uint64_t ones = random.below(1u << width) & random.below(1u << width);
    const Range range = common({least, most, 0, 0}, {0, mask_of(width), zeros | ~mask_of(width), ones});
    std::vector<uint64_t> values;
    for (uint64_t value = 0; value < uint64_t{1} << width; ++value)
      if (least <= value && value <= most && (value & zeros) == 0 && (~value & ones) == 0) values.push_back(value);
    ASSERT_EQ(range.is_empty(), values.empty()) << text_of(range);
    if (values.empty()) continue;
    EXPECT_EQ(range.least, values.front());
    EXPECT_EQ(range.most, values.back());
  }
}

TEST(Ranges, FollowWhatDecidesATextOrAnIndexToItsOperand) {
  const Node sum{Operation::Add, 8, 0, {}}, quotient{Operation::UnsignedDivide, 8, 0, {}},
      and_{Operation::And, 8, 0, {}};
  Operands operands{range_of_all(8), range_of(3), {}};
  EXPECT_TRUE(backwards({&sum, 8, 8}, range_of(7), operands));
  EXPECT_EQ(operands[0], range_of(4));
  operands = {range_of_all(8), range_of(10), {}};
  EXPECT_TRUE(backwards({&quotient, 8, 8}, range_of(7), operands));
  EXPECT_EQ(operands[0].least, 70u);
  EXPECT_EQ(operands[0].most, 79u);
  operands = {range_of_all(8), range_of(0xc0), {}};
  EXPECT_TRUE(backwards({&and_, 8, 8}, range_of(0x80), operands));
  EXPECT_EQ(operands[0].least, 0x80u);
  EXPECT_EQ(operands[0].most, 0xbfu);
  EXPECT_FALSE(backwards({&and_, 8, 8}, range_of(0x20), operands));
}

}  // namespace
}  // namespace heddle::symbolic
