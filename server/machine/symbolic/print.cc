// sprintf and snprintf of unknown numbers and texts: signs, counts of digits and lengths are asked; the characters are
// expressions. The function itself runs afterwards and writes as many.
#include <algorithm>

#include "server/machine/symbolic/text.h"

namespace heddle::machine {

using Kind = symbolic::Operation;

// What follows a percent sign, of what is known here.
struct TextCall::PrintDirective {
  bool left = false, zeros = false, plus = false, space = false, known = true;
  uint64_t width = 0;
  uint32_t bits = 32;
  char letter = 0;
};

TextCall::PrintDirective TextCall::next_print_directive(const std::string& format, size_t& at) {
  constexpr uint64_t kWidthMost = 1000;
  PrintDirective d;
  const auto is = [&](std::string_view one_of) {
    return at < format.size() && one_of.find(format[at]) != std::string_view::npos;
  };
  for (; is("-0+ "); ++at) {
    d.left |= format[at] == '-';
    d.zeros |= format[at] == '0';
    d.plus |= format[at] == '+';
    d.space |= format[at] == ' ';
  }
  for (; is("0123456789") && d.width < kWidthMost; ++at)
    d.width = 10 * d.width + static_cast<uint64_t>(format[at] - '0');
  const size_t begin = at;
  while (is("hlzjt")) ++at;
  const std::string_view size = std::string_view(format).substr(begin, at - begin);
  if (size == "hh" || size == "h")
    d.bits = size == "h" ? 16 : 8;
  else if (!size.empty())
    d.bits = 64;
  d.known = size.empty() || size.size() == 1 || size == "hh" || size == "ll";
  if (at < format.size()) d.letter = format[at++];
  return d;
}

void TextCall::put(uint64_t address, uint64_t room, std::vector<Expression> characters) {
  for (const Expression c : characters) {
    if (printed_ < room) writes_later(address + printed_, 1, c);
    ++printed_;
  }
}

// Padded to the width.
std::vector<Expression> TextCall::padded(const PrintDirective& d, std::vector<Expression> sign,
                                         std::vector<Expression> characters) {
  const uint64_t size = sign.size() + characters.size();
  const uint64_t missing = d.width - std::min(d.width, size);
  const bool zeros = d.zeros && !d.left;
  if (!d.left && !zeros) sign.insert(sign.begin(), missing, number(8, ' '));
  if (zeros) sign.insert(sign.end(), missing, number(8, '0'));
  sign.insert(sign.end(), characters.begin(), characters.end());
  if (d.left) sign.insert(sign.end(), missing, number(8, ' '));
  return sign;
}

// A quotient is divided only once; each digit is what is left of it without the next one.
std::vector<Expression> TextCall::digits_of(Expression value, uint32_t base) {
  const uint32_t width = pool_.at(value).width;
  std::vector<Expression> fewer;
  std::vector<uint64_t> powers = {1};
  const auto below = [&](uint64_t power) { return pool_.binary(Kind::UnsignedLess, value, number(width, power)); };
  Expression rest = number(1, 1);
  for (uint64_t power = base;; power *= base) {
    const Expression less = below(power);
    fewer.push_back(both(rest, less));
    rest = both(rest, pool_.complement(less));
    powers.push_back(power);
    if (power > symbolic::mask_of(width) / base) break;
  }
  fewer.push_back(rest);
  const size_t count = decide(std::move(fewer)) + 1;
  std::vector<Expression> digits;
  for (size_t n = count; n-- > 0;) {
    const Expression quotient = pool_.binary(Kind::UnsignedDivide, value, number(width, powers[n]));
    digits.push_back(pool_.extract(0, 8, pool_.binary(Kind::UnsignedRemainder, quotient, number(width, base))));
  }
  return digits;
}

std::vector<Expression> TextCall::printed_integer(const PrintDirective& d, uint32_t argument) {
  Expression value = unknown_argument(argument, d.bits);
  const bool with_sign = d.letter == 'd' || d.letter == 'i';
  if (d.bits < 32) value = pool_.extend(with_sign ? Kind::SignExtend : Kind::ZeroExtend, 32, value);
  const uint32_t width = pool_.at(value).width;
  const bool negative = with_sign && holds(pool_.binary(Kind::SignedLess, value, number(width, 0)));
  if (negative) value = pool_.binary(Kind::Subtract, number(width, 0), value);
  std::vector<Expression> sign;
  if (negative || (with_sign && (d.plus || d.space))) sign = {number(8, negative ? '-' : d.plus ? '+' : ' ')};
  const bool decimal = d.letter != 'x' && d.letter != 'X' && d.letter != 'o';
  std::vector<Expression> characters = digits_of(value, decimal ? 10 : d.letter == 'o' ? 8 : 16);
  for (Expression& c : characters) {
    const Expression letter =
        pool_.binary(Kind::Add, c, number(8, static_cast<uint64_t>(d.letter == 'X' ? 'A' : 'a') - 10));
    c = pool_.select(pool_.binary(Kind::UnsignedLess, c, number(8, 10)), pool_.binary(Kind::Add, c, number(8, '0')),
                     letter);
  }
  return padded(d, std::move(sign), std::move(characters));
}

std::vector<Expression> TextCall::printed_text(const PrintDirective& d, uint32_t at) {
  std::vector<Expression> characters;
  const uint64_t text = argument(at);
  if (text == 0 || !is_there(text)) return give_up(), characters;
  const uint64_t length = length_of(text, kNoEnd);
  for (uint64_t n = 0; n < length && is_there(text + n); ++n) characters.push_back(byte(text + n));
  return padded(d, {}, std::move(characters));
}

// `room`: bytes that are written at most, without the zero. Addresses, sizes and the format are known.
void TextCall::print(uint64_t room, uint32_t format) {
  for (uint32_t n = 0; n <= format; ++n)
    if (n < call_.site->arguments.size() &&
        symbols_.slot(thread_.id, thread_.fp + call_.site->arguments[n].slot).number != 0)
      return give_up();
  std::string text;
  if (!known_text(argument(format), text)) return give_up();
  uint32_t next = format + 1;
  printed_ = 0;
  for (size_t at = 0; at < text.size() && known_;) {
    const char c = text[at++];
    if (c != '%' || (at < text.size() && text[at] == '%')) {
      at += c == '%' ? 1 : 0;
      put(argument(0), room, {number(8, static_cast<uint8_t>(c))});
      continue;
    }
    const PrintDirective d = next_print_directive(text, at);
    if (!d.known || next >= call_.site->arguments.size()) return give_up();
    if (d.letter != 0 && std::string_view("diuxXo").find(d.letter) != std::string_view::npos)
      put(argument(0), room, printed_integer(d, next++));
    else if (d.letter == 's' && d.bits == 32)
      put(argument(0), room, printed_text(d, next++));
    else if (d.letter == 'c' && d.bits == 32)
      put(argument(0), room, padded(d, {}, {unknown_argument(next++, 8)}));
    else
      return give_up();
  }
}

void TextCall::print_text() { print(kNoEnd, 1); }
void TextCall::print_text_checked() { print(kNoEnd, 3); }
void TextCall::print_bounded() { print(argument(1) - std::min<uint64_t>(argument(1), 1), 2); }
void TextCall::print_bounded_checked() { print(argument(1) - std::min<uint64_t>(argument(1), 1), 4); }

}  // namespace heddle::machine
