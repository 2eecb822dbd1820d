// Random expressions of 2 to 8 bits: what the simplifier and Z3 say, compared with every value tried one by one. The
// second way computes each operation anew on wide signed numbers and shares no code with the folder under test.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "server/symbolic/interval_slice.h"
#include "server/symbolic/meeting_slice.h"
#include "server/symbolic/solver.h"
#include "server/symbolic/z3_slice.h"

namespace heddle::symbolic {
namespace {

constexpr uint32_t kWorkMax = 10'000'000;
using Values = std::pair<unsigned, unsigned>;
using Meaning = std::function<int(Values)>;  // from the values of both inputs to an unsigned result

struct Pair {
  Expression expression;
  Meaning meaning;
};

int wrapped(unsigned width, int value) { return value & ((1 << width) - 1); }
int with_sign(unsigned width, int value) { return value >= 1 << (width - 1) ? value - (1 << width) : value; }

int shifted_right(unsigned width, int value, int distance) {
  for (int i = 0; i < distance && i < static_cast<int>(width); ++i) value = (value - (value & 1)) / 2;
  return value;
}

int shifted_left(unsigned width, int value, int distance) {
  for (int i = 0; i < distance; ++i) value = wrapped(width, value * 2);
  return value;
}

int meaning_of(Operation operation, unsigned width, int a, int b) {
  int sa = with_sign(width, a);
  int sb = with_sign(width, b);
  switch (operation) {
    case Operation::Add: return wrapped(width, a + b);
    case Operation::Subtract: return wrapped(width, a - b);
    case Operation::Multiply: return wrapped(width, a * b);
    case Operation::UnsignedDivide: return b == 0 ? wrapped(width, -1) : a / b;
    case Operation::SignedDivide: return wrapped(width, sb == 0 ? (sa < 0 ? 1 : -1) : sa / sb);
    case Operation::UnsignedRemainder: return b == 0 ? a : a % b;
    case Operation::SignedRemainder: return wrapped(width, sb == 0 ? sa : sa % sb);
    case Operation::And: return a & b;
    case Operation::Or: return a | b;
    case Operation::Xor: return (a | b) - (a & b);
    case Operation::ShiftLeft: return shifted_left(width, a, b);
    case Operation::LogicalShiftRight: return shifted_right(width, a, b);
    case Operation::ArithmeticShiftRight: return wrapped(width, shifted_right(width, sa, b));
    case Operation::Equal: return a == b;
    case Operation::UnsignedLess: return a < b;
    default: return sa < sb;
  }
}

class Generator {
 public:
  Generator(Pool& pool, unsigned seed, unsigned width) : pool_(pool), random_(seed), width_(width) {}

  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }

  Pair leaf() {
    if (below(3) == 0) {
      int value = wrapped(width_, static_cast<int>(below(256)));
      if (below(2) == 0) value = wrapped(width_, static_cast<int>(below(3)) - 1);
      return {pool_.constant(width_, static_cast<uint64_t>(value)), [value](Values) { return value; }};
    }
    if (below(2) == 0) return {pool_.input(width_, 1), [](Values v) { return static_cast<int>(v.first); }};
    return {pool_.input(width_, 2), [](Values v) { return static_cast<int>(v.second); }};
  }

  Pair condition(unsigned depth) {
    constexpr Operation kComparisons[] = {Operation::Equal, Operation::UnsignedLess, Operation::SignedLess};
    return binary(kComparisons[below(3)], value(depth), value(depth));
  }

  Pair value(unsigned depth) {
    if (depth == 0) return leaf();
    switch (below(6)) {
      case 0: return selected(depth - 1);
      case 1: return parts(depth - 1);
      case 2: return extended(depth - 1);
      default: {
        auto operation = static_cast<Operation>(static_cast<unsigned>(Operation::Add) + below(13));
        Pair left = value(depth - 1);
        Pair right = below(5) == 0 ? left : value(depth - 1);
        return binary(operation, left, right);
      }
    }
  }

 private:
  Pair binary(Operation operation, const Pair& left, const Pair& right) {
    unsigned width = width_;
    return {pool_.binary(operation, left.expression, right.expression),
            [=](Values v) { return meaning_of(operation, width, left.meaning(v), right.meaning(v)); }};
  }

  Pair selected(unsigned depth) {
    Pair which = condition(depth);
    Pair then = value(depth);
    Pair otherwise = value(depth);
    return {pool_.select(which.expression, then.expression, otherwise.expression),
            [=](Values v) { return which.meaning(v) != 0 ? then.meaning(v) : otherwise.meaning(v); }};
  }

  // Cuts two values, or one, at a bit and joins the upper part with the lower one.
  Pair parts(unsigned depth) {
    unsigned cut = 1 + below(width_ - 1);
    unsigned width = width_;
    Pair top = value(depth);
    Pair bottom = below(2) == 0 ? top : value(depth);
    return {
        pool_.concatenate(pool_.extract(cut, width - cut, top.expression), pool_.extract(0, cut, bottom.expression)),
        [=](Values v) { return (top.meaning(v) >> cut << cut) + bottom.meaning(v) % (1 << cut); }};
  }

  // The lower bits of a value, extended to its width, or to twice as much of which a part is taken.
  Pair extended(unsigned depth) {
    unsigned kept = 1 + below(width_ - 1);
    unsigned width = width_;
    bool is_signed = below(2) == 0;
    unsigned low = below(2) == 0 ? 0 : below(width + 1);
    Pair whole = value(depth);
    Operation operation = is_signed ? Operation::SignExtend : Operation::ZeroExtend;
    Expression wide = pool_.extend(operation, 2 * width, pool_.extract(0, kept, whole.expression));
    return {pool_.extract(low, width, wide), [=](Values v) {
              int part = whole.meaning(v) % (1 << kept);
              if (is_signed) part = with_sign(kept, part);
              return wrapped(width, shifted_right(2 * width, part, static_cast<int>(low)));
            }};
  }

  Pool& pool_;
  std::mt19937 random_;
  unsigned width_;
};

void expect_same_values(const Pool& pool, const Pair& pair, unsigned width, unsigned seed) {
  for (unsigned a = 0; a < 1u << width; ++a) {
    for (unsigned b = 0; b < 1u << width; b += width > 4 ? 13 : 1) {
      uint64_t got = pool.evaluate(pair.expression, {{1, a}, {2, b}});
      ASSERT_EQ(got, static_cast<uint64_t>(pair.meaning({a, b})))
          << "seed " << seed << ", inputs " << a << " and " << b << "\n"
          << pool.print(pair.expression);
    }
  }
}

TEST(Expression, SimplifiedValuesAreThoseOfTheOperations) {
  for (unsigned seed = 0; seed < 1000; ++seed) {
    Pool pool;
    unsigned width = 2 + seed % 7;
    Generator generator(pool, seed, width);
    Pair pair = generator.value(1 + seed % 3);
    expect_same_values(pool, pair, width, seed);
    if (HasFatalFailure()) return;
  }
}

std::optional<Values> smallest(const Pair& left, const Pair& right, unsigned width) {
  for (unsigned a = 0; a < 1u << width; ++a) {
    for (unsigned b = 0; b < 1u << width; ++b) {
      if (left.meaning({a, b}) != 0 && right.meaning({a, b}) != 0) return Values{a, b};
    }
  }
  return std::nullopt;
}

Answer by_z3(const Pool& pool, std::span<const Expression> conditions) {
  Answer whole{Decision::Satisfiable, {}};
  for (const Slice& slice : slices_of(pool, conditions)) {
    const Answer part = solve_by_z3(pool, slice, kWorkMax);
    if (part.decision != Decision::Satisfiable) return part;
    whole.model.insert(part.model.begin(), part.model.end());
  }
  return whole;
}

// With no other way to decide.
Answer by_intervals(const Pool& pool, std::span<const Expression> conditions) {
  Answer whole{Decision::Satisfiable, {}};
  for (const Slice& slice : slices_of(pool, conditions)) {
    const std::optional<Answer> part = solve_by_intervals(pool, slice);
    if (!part) return {};
    if (part->decision != Decision::Satisfiable) return *part;
    whole.model.insert(part->model.begin(), part->model.end());
  }
  return whole;
}

TEST(Solver, DecisionsAndSmallestModelsAreThoseOfTryingEveryValue) {
  unsigned satisfiable = 0, decided = 0;
  constexpr unsigned kCases = 150;
  for (unsigned seed = 0; seed < kCases; ++seed) {
    Pool pool;
    unsigned width = 2 + seed % 7;
    Generator generator(pool, seed, width);
    Pair left = generator.condition(1 + seed % 2);
    Pair right = generator.condition(1);
    Expression conditions[] = {left.expression, right.expression};
    std::optional<Values> expected = smallest(left, right, width);
    Solver solver(pool, kWorkMax);
    Answer ranged = by_intervals(pool, conditions);
    decided += ranged.decision != Decision::Undecided;
    if (ranged.decision == Decision::Undecided) ranged = solver.solve(conditions);
    for (Answer answer : {solver.solve(conditions), by_z3(pool, conditions), ranged}) {
      ASSERT_EQ(answer.decision, expected ? Decision::Satisfiable : Decision::Unsatisfiable) << "seed " << seed;
      if (!expected) continue;
      ASSERT_EQ(answer.model[1], expected->first) << "seed " << seed;  // 0 if the condition does not depend on it
      ASSERT_EQ(answer.model[2], expected->second) << "seed " << seed;
    }
    ASSERT_EQ(solver.statistics().queries, 0u) << "seed " << seed;
    satisfiable += expected.has_value();
  }
  EXPECT_GT(satisfiable, kCases / 4);
  EXPECT_LT(satisfiable, kCases);
  EXPECT_GT(decided, kCases * 9 / 10);
}

// As a number is written: each digit is a quotient less ten times the next one.
TEST(Solver, DigitsOfANumberNeedNoZ3) {
  Pool pool;
  const Expression x = pool.input(32, 1);
  const auto number = [&](uint64_t value) { return pool.constant(32, value); };
  std::vector<Expression> conditions = {pool.binary(Operation::UnsignedLess, x, number(1'000'000'000)),
                                        pool.binary(Operation::UnsignedLess, number(99'999'999), x)};
  uint64_t power = 1;
  for (uint64_t digit = 9; digit > 0; --digit, power *= 10) {
    const Expression quotient = pool.binary(Operation::UnsignedDivide, x, number(power));
    const Expression last = pool.binary(Operation::UnsignedRemainder, quotient, number(10));
    conditions.push_back(pool.binary(Operation::Equal, last, number(digit)));
  }
  EXPECT_EQ(Solver(pool, 0).solve(conditions).model, (Model{{1, 123'456'789}}));
  conditions.push_back(pool.binary(Operation::SignedLess, x, number(77)));
  EXPECT_EQ(Solver(pool, 0).solve(conditions).decision, Decision::Unsatisfiable);
}

// As a comparison sorts four numbers: those that contradict each other, and those that do not.
TEST(Solver, OrdersOfSeveralNumbersNeedNoZ3) {
  Pool pool;
  Expression x[4];
  for (uint64_t n = 0; n < 4; ++n) x[n] = pool.input(32, n + 1);
  const auto less = [&](int a, int b) { return pool.binary(Operation::SignedLess, x[a], x[b]); };
  std::vector<Expression> conditions = {less(0, 1), pool.complement(less(2, 1)), less(2, 3)};
  EXPECT_EQ(Solver(pool, 0).solve(conditions).model, (Model{{1, 0}, {2, 1}, {3, 1}, {4, 2}}));
  conditions.push_back(pool.complement(less(0, 3)));
  EXPECT_EQ(Solver(pool, 0).solve(conditions).decision, Decision::Unsatisfiable);
  const Expression same = pool.binary(Operation::Subtract, x[0], x[1]);
  const Expression both[] = {pool.binary(Operation::Equal, same, pool.constant(32, 0)), less(1, 0)};
  EXPECT_EQ(Solver(pool, 0).solve(both).decision, Decision::Unsatisfiable);
}

// Four letters that stand for six bits each, as base64 has them.
TEST(Solver, LettersOfSixBitsNeedNoZ3) {
  Pool pool;
  std::vector<Expression> conditions;
  Expression value = pool.constant(32, 0);
  for (uint64_t n = 0; n < 4; ++n) {
    const Expression letter = pool.input(8, n + 1);
    conditions.push_back(pool.complement(pool.binary(Operation::UnsignedLess, letter, pool.constant(8, 'a'))));
    conditions.push_back(pool.binary(Operation::UnsignedLess, letter, pool.constant(8, 'z' + 1)));
    const Expression digit =
        pool.extend(Operation::ZeroExtend, 32, pool.binary(Operation::Subtract, letter, pool.constant(8, 'a' - 26)));
    value = pool.binary(Operation::Or, pool.binary(Operation::ShiftLeft, value, pool.constant(32, 6)), digit);
  }
  const auto byte = [&](unsigned n) { return pool.extract(8 * n, 8, value); };
  for (unsigned n = 0; n < 3; ++n)
    conditions.push_back(pool.binary(Operation::Equal, byte(n), pool.constant(8, "\xdb\x6c\xb6"[n])));
  const Answer answer = Solver(pool, 0).solve(conditions);
  ASSERT_EQ(answer.decision, Decision::Satisfiable);
  for (const Expression condition : conditions) EXPECT_EQ(pool.evaluate(condition, answer.model), 1u);
}

TEST(Expression, WhetherAProductFitsIsOneComparison) {
  for (uint64_t by = 0; by < 256; ++by) {
    Pool pool;
    const Expression x = pool.input(8, 1), factor = pool.constant(8, by);
    const Expression back = pool.binary(Operation::UnsignedDivide, pool.binary(Operation::Multiply, x, factor), factor);
    const Expression same = pool.binary(Operation::Equal, by % 2 == 0 ? back : x, by % 2 == 0 ? x : back);
    EXPECT_TRUE(by < 2 || pool.at(same).operation == Operation::UnsignedLess) << by;
    for (uint64_t value = 0; value < 256; ++value) {
      const uint64_t product = value * by & 255, quotient = by == 0 ? 255 : product / by;
      ASSERT_EQ(pool.evaluate(same, {{1, value}}), quotient == value ? 1u : 0u) << value << " * " << by;
    }
  }
}

// Hashes of four digits of four bits: the smallest digits with a hash, or that there are none.
TEST(Meeting, FindsTheSmallestWithThatHash) {
  std::mt19937 random(7);
  uint32_t found = 0, none = 0;
  for (int round = 0; round < 60; ++round) {
    Pool pool;
    std::vector<std::pair<uint32_t, uint32_t>> steps;  // which operation, by which number
    for (int n = 0; n < 4; ++n) steps.push_back({random() % 4, random() % 4096 | 1});
    const auto hash_of = [&](const uint32_t(&digits)[4]) {
      uint32_t hash = 77;
      for (int n = 0; n < 4; ++n) {
        const auto [how, by] = steps[static_cast<size_t>(n)];
        if (how == 0) hash = (hash ^ digits[n]) * by;
        if (how == 1) hash = hash * by + digits[n];
        if (how == 2) hash = digits[n] * digits[n] - hash * by;
        if (how == 3) hash = (hash << 5) + hash + (digits[n] ^ by);
        hash &= 65535;
      }
      return hash;
    };
    const auto from = [&](uint32_t least, uint32_t count) { return least + static_cast<uint32_t>(random()) % count; };
    const uint32_t given[4] = {from(0, 8), from(0, 16), from(8, 8), from(8, 8)};
    const uint32_t wanted = round % 2 == 0 ? hash_of(given) : from(0, 65536), least = from(0, 8);
    const auto number = [&](uint64_t value) { return pool.constant(16, value); };
    const auto binary = [&](Operation operation, Expression a, Expression b) { return pool.binary(operation, a, b); };
    Expression hash = number(77), digits[4];
    for (unsigned n = 0; n < 4; ++n) {
      const Expression digit = pool.extend(Operation::ZeroExtend, 16, digits[n] = pool.input(4, n + 1));
      const auto [how, by] = steps[n];
      const Expression product = binary(Operation::Multiply, hash, number(by));
      const Expression shifted = binary(Operation::ShiftLeft, hash, number(5));
      if (how == 0) hash = binary(Operation::Multiply, binary(Operation::Xor, hash, digit), number(by));
      if (how == 1) hash = binary(Operation::Add, product, digit);
      if (how == 2) hash = binary(Operation::Subtract, binary(Operation::Multiply, digit, digit), product);
      if (how == 3)
        hash = binary(Operation::Add, binary(Operation::Add, shifted, hash), binary(Operation::Xor, digit, number(by)));
    }
    const bool alone = round % 3 == 0;  // no other condition has several inputs
    const Expression conditions[] = {
        pool.binary(Operation::Equal, hash, number(wanted)),
        alone ? pool.constant(1, 1) : pool.binary(Operation::UnsignedLess, digits[0], digits[3]),
        pool.binary(Operation::UnsignedLess, pool.constant(4, least), digits[2])};
    Answer expected{Decision::Unsatisfiable, {}};
    for (uint32_t all = 0; all < 65536 && expected.decision != Decision::Satisfiable; ++all) {
      const uint32_t tried[4] = {all >> 12, all >> 8 & 15, all >> 4 & 15, all & 15};
      if (hash_of(tried) == wanted && (alone || tried[0] < tried[3]) && least < tried[2])
        expected = {Decision::Satisfiable, {{1, tried[0]}, {2, tried[1]}, {3, tried[2]}, {4, tried[3]}}};
    }
    Slice slice(conditions, conditions + 3);
    if (alone) slice.erase(slice.begin() + 1);
    std::sort(slice.begin(), slice.end());
    slice.erase(std::unique(slice.begin(), slice.end()), slice.end());
    const std::optional<Answer> met = solve_by_meeting(pool, slice);
    ASSERT_TRUE(met) << round;
    EXPECT_EQ(met->decision, expected.decision) << round;
    EXPECT_EQ(met->model, expected.model) << round;
    ++(expected.decision == Decision::Satisfiable ? found : none);
  }
  EXPECT_GT(found, 10u);
  EXPECT_GT(none, 10u);
}

TEST(Meeting, LeavesWhatIsNoEquationOfAHash) {
  Pool pool;
  const Expression x = pool.input(32, 1), y = pool.input(32, 2), z = pool.input(8, 3);
  const Expression product = pool.binary(Operation::Multiply, x, y);
  EXPECT_FALSE(solve_by_meeting(pool, {pool.binary(Operation::Equal, product, pool.constant(32, 12345))}));
  const Expression even = pool.binary(Operation::Multiply, pool.binary(Operation::Xor, x, y), pool.constant(32, 6));
  const Expression sum = pool.binary(Operation::Add, even, pool.extend(Operation::ZeroExtend, 32, z));
  EXPECT_FALSE(solve_by_meeting(pool, {pool.binary(Operation::UnsignedLess, sum, pool.constant(32, 5))}));
}

// What is added, multiplied by an odd number, extended or joined is compared by itself.
TEST(Expression, WhatEqualsANumberIsComparedAlone) {
  Pool pool;
  const Expression x = pool.input(8, 1), y = pool.input(4, 2);
  const auto number = [&](unsigned width, uint64_t value) { return pool.constant(width, value); };
  for (uint64_t k = 0; k < 256; ++k) {
    const Expression hashed =
        pool.binary(Operation::Xor,
                    pool.binary(Operation::Multiply, pool.binary(Operation::Add, x, number(8, k)), number(8, k | 1)),
                    number(8, 77));
    const Expression joined = pool.concatenate(x, y), wide = pool.extend(Operation::ZeroExtend, 12, x);
    const Expression one = pool.binary(Operation::Equal, hashed, number(8, 200));
    const Expression two = pool.binary(Operation::Equal, joined, number(12, 16 * k + 3));
    const Expression three = pool.binary(Operation::Equal, wide, number(12, 2 * k));
    EXPECT_EQ(pool.at(one).operands[0], x);
    EXPECT_EQ(pool.at(two).operation, Operation::And);
    for (uint64_t value = 0; value < 256; ++value) {
      const Model model = {{1, value}, {2, k % 16}};
      ASSERT_EQ(pool.evaluate(one, model), (((value + k) * (k | 1) ^ 77) & 255) == 200 ? 1u : 0u) << k;
      ASSERT_EQ(pool.evaluate(two, model), value * 16 + k % 16 == 16 * k + 3 ? 1u : 0u) << k;
      ASSERT_EQ(pool.evaluate(three, model), value == 2 * k ? 1u : 0u) << k;
    }
  }
}

TEST(Expression, EqualOnesAreOneNodeAndBytesJoinAgain) {
  Pool pool;
  Expression x = pool.input(32, 1);
  Expression y = pool.input(32, 2);
  EXPECT_EQ(pool.binary(Operation::Add, x, y), pool.binary(Operation::Add, y, x));
  EXPECT_NE(pool.binary(Operation::Subtract, x, y), pool.binary(Operation::Subtract, y, x));
  Expression joined = pool.extract(0, 8, x);
  for (unsigned low : {8u, 16u, 24u}) joined = pool.concatenate(pool.extract(low, 8, x), joined);
  EXPECT_EQ(joined, x);
  EXPECT_THROW(pool.input(8, 1), std::invalid_argument);
  EXPECT_EQ(pool.print(pool.binary(Operation::Add, x, pool.constant(32, 7))).substr(0, 1), "e");
}

TEST(Slices, ConditionsOfOtherInputsAreApartAndRemembered) {
  Pool pool;
  Expression x = pool.input(32, 1);
  Expression y = pool.input(32, 2);
  Expression z = pool.input(32, 3);
  Expression one = pool.binary(Operation::UnsignedLess, x, y);
  Expression two = pool.binary(Operation::Equal, z, pool.constant(32, 7));
  Expression three = pool.binary(Operation::UnsignedLess, pool.constant(32, 5), x);
  Expression all[] = {three, two, one, two};
  std::vector<Slice> slices = slices_of(pool, all);
  ASSERT_EQ(slices.size(), 2u);
  EXPECT_EQ(slices[0], (Slice{one, three}));
  EXPECT_EQ(slices[1], (Slice{two}));
  Solver solver(pool, kWorkMax);
  EXPECT_EQ(solver.solve(all).model, (Model{{1, 6}, {2, 7}, {3, 7}}));
  Expression fewer[] = {two};
  EXPECT_EQ(solver.solve(fewer).model, (Model{{3, 7}}));
  EXPECT_EQ(solver.statistics().tried, 2u);
  EXPECT_EQ(solver.statistics().hits, 1u);
}

TEST(Solver, OneValueInFourBillionIsFound) {
  Pool pool;
  Expression x = pool.input(32, 1);
  Expression scrambled = pool.binary(Operation::Xor, pool.binary(Operation::Multiply, x, pool.constant(32, 0x01000193)),
                                     pool.constant(32, 0x811c9dc5));
  Expression wanted[] = {pool.binary(Operation::Equal, scrambled, pool.constant(32, 0xdeadbeef))};
  Answer answer = Solver(pool, kWorkMax).solve(wanted);
  ASSERT_EQ(answer.decision, Decision::Satisfiable);
  EXPECT_EQ((answer.model[1] * 0x01000193 ^ 0x811c9dc5) & 0xffffffff, 0xdeadbeefu);
}

TEST(Solver, AConditionOnOneInputLeavesTheValueThatItHoldsFor) {
  for (uint64_t value = 0; value < 16; ++value) {
    Pool pool;
    const Expression one = pool.input(4, 1), other = pool.input(4, 2);
    const Expression sum = pool.binary(Operation::Add, one, other);
    const Expression conditions[] = {pool.binary(Operation::Equal, one, pool.constant(4, value)),
                                     pool.binary(Operation::UnsignedLess, pool.constant(4, 3), other),
                                     pool.binary(Operation::Equal, sum, pool.constant(4, value + 5))};
    Solver solver(pool, kWorkMax);
    const Answer answer = solver.solve(conditions);
    ASSERT_EQ(answer.decision, Decision::Satisfiable) << value;
    EXPECT_EQ(answer.model.at(1), value);
    EXPECT_EQ(answer.model.at(2), 5u);
  }
}

// Z3 gives up on some of these within its bound.
TEST(Solver, ASquareOfSixteenBitsIsNotNegative) {
  Pool pool;
  Expression x = pool.extend(Operation::SignExtend, 32, pool.input(16, 1));
  Expression square = pool.binary(Operation::Multiply, x, x);
  Expression negative[] = {pool.binary(Operation::SignedLess, square, pool.constant(32, 0))};
  EXPECT_EQ(Solver(pool, kWorkMax).solve(negative).decision, Decision::Unsatisfiable);
  Expression largest[] = {pool.binary(Operation::Equal, square, pool.constant(32, 1u << 30))};
  EXPECT_EQ(Solver(pool, 0).solve(largest).model, (Model{{1, 0x8000}}));
}

// 32-bit factors of a product of two primes: beyond the bound, and equally so each time.
TEST(Solver, WhatExceedsTheBoundIsUndecidedEachTime) {
  for (int round = 0; round < 2; ++round) {
    Pool pool;
    Expression x = pool.extend(Operation::ZeroExtend, 64, pool.input(32, 1));
    Expression y = pool.extend(Operation::ZeroExtend, 64, pool.input(32, 2));
    Expression one = pool.constant(64, 1);
    Expression product = pool.constant(64, 2860486313u * uint64_t{3367900313u});
    Expression conditions[] = {pool.binary(Operation::Equal, pool.binary(Operation::Multiply, x, y), product),
                               pool.binary(Operation::UnsignedLess, one, x),
                               pool.binary(Operation::UnsignedLess, one, y)};
    Answer answer = Solver(pool, 100'000).solve(conditions);
    EXPECT_EQ(answer.decision, Decision::Undecided);
    EXPECT_TRUE(answer.model.empty());
  }
}

}  // namespace
}  // namespace heddle::symbolic
