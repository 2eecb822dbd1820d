// Unknown text that becomes a number: atoi, strtol and the like. Spaces, sign, prefix and the count of digits are
// asked; the value is an expression of the digits.
#include "server/machine/symbolic/text.h"

#include <algorithm>

namespace heddle::machine {

using Kind = symbolic::Operation;

// This number of digits of the base, or fewer, cannot exceed what fits into the result.
uint32_t TextCall::digits_that_fit(uint32_t base) {
  uint32_t count = 0;
  for (uint64_t most = INT64_MAX; most >= base; most /= base) ++count;
  return count;
}

Expression TextCall::value_of_digits(uint64_t text, uint64_t count, uint32_t base) {
  Expression value = number(64, 0);
  for (uint64_t n = 0; n < count; ++n) {
    const Expression next = pool_.extend(Kind::ZeroExtend, 64, digit_value(byte(text + n)));
    value = pool_.binary(Kind::Add, pool_.binary(Kind::Multiply, value, number(64, base)), next);
  }
  return value;
}

Expression TextCall::digit(Expression e, uint32_t base) {
  const Expression decimal = between(e, '0', '0' + std::min(base, 10u) - 1);
  return base <= 10 ? decimal : either(decimal, between(lower(e), 'a', 'a' + base - 11));
}

Expression TextCall::digit_value(Expression e) {
  const Expression letter = pool_.binary(Kind::Subtract, lower(e), number(8, 'a' - 10));
  return pool_.select(between(e, '0', '9'), pool_.binary(Kind::Subtract, e, number(8, '0')), letter);
}

void TextCall::integer_of_base() {
  const uint64_t base = static_cast<uint32_t>(argument(2));
  if (base == 1 || base > 36) return;
  integer(static_cast<uint32_t>(base), 64);
}
void TextCall::plain_integer() { integer(10, 32); }
void TextCall::plain_long() { integer(10, 64); }

void TextCall::integer(uint32_t base, uint32_t width) {
  uint64_t at = argument(0);
  const auto skip = [&](uint64_t count) { at += count; };
  skip(find(at, ~uint64_t{0}, [&](uint64_t n) { return pool_.complement(is_space(byte(at + n))); }));
  if (!is_there(at)) return;
  const Expression minus = equals(byte(at), '-'), plus = equals(byte(at), '+');
  const size_t sign = decide({pool_.complement(either(minus, plus)), minus, plus});
  if (sign != 0) skip(1);
  if (!is_there(at)) return;
  if ((base == 0 || base == 16) && holds(equals(byte(at), '0'))) {
    if (!is_there(at + 1)) return;
    const bool prefix = holds(equals(lower(byte(at + 1)), 'x'));
    if (prefix) skip(2);
    base = prefix || base == 16 ? 16 : 8;
  }
  if (base == 0) base = 10;
  const uint64_t digits =
      find(at, ~uint64_t{0}, [&](uint64_t n) { return pool_.complement(digit(byte(at + n), base)); });
  if (!is_there(at + digits)) return;
  if (digits > digits_that_fit(base)) return give_up();
  Expression value = value_of_digits(at, digits, base);
  if (sign == 1) value = pool_.binary(Kind::Subtract, number(64, 0), value);
  result_ = width == 64 ? value : pool_.extract(0, width, value);
}

void TextCall::absolute_of(uint32_t width) {
  const Expression a = unknown_argument(0, width), zero = number(width, 0);
  if (pool_.at(a).operation == Kind::Constant) return;
  result_ = pool_.select(pool_.binary(Kind::SignedLess, a, zero), pool_.binary(Kind::Subtract, zero, a), a);
}

// htons and the like.
void TextCall::reverse(uint32_t bytes) {
  const Expression given = unknown_argument(0, 8 * bytes);
  if (pool_.at(given).operation == Kind::Constant) return;
  Expression reversed = pool_.extract(0, 8, given);
  for (uint32_t n = 1; n < bytes; ++n) reversed = pool_.concatenate(reversed, pool_.extract(8 * n, 8, given));
  result_ = pool_.extend(Kind::ZeroExtend, 64, reversed);
}

// The quotient and the rest: of 32 bits in one word, of 64 in two. By zero the function itself has the fault.
void TextCall::divide_of(uint32_t width) {
  const Expression a = unknown_argument(0, width), b = unknown_argument(1, width);
  if (holds(equals(b, 0))) return;
  result_ = pool_.binary(Kind::SignedDivide, a, b);
  second_ = pool_.binary(Kind::SignedRemainder, a, b);
  if (width == 32) result_ = pool_.concatenate(second_, result_);
}

}  // namespace heddle::machine
