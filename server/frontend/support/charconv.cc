// Floating-point numbers as text: the shortest that reads back as the same number, and with a precision, by printf; and
// back again, by strtod. From: C++17 [charconv]; where it leaves a choice, libstdc++ 12.
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <system_error>
#include <type_traits>

namespace std {
namespace {

float parse(const char* text, char** end, float) { return strtof(text, end); }
double parse(const char* text, char** end, double) { return strtod(text, end); }
long double parse(const char* text, char** end, long double) { return strtold(text, end); }

// 5000 places are enough for the smallest long double, in full: 16445.
constexpr int kRoom = 17000;

template <typename Number>
int print(char* to, const char* format, int precision, Number value) {
  char with[8] = "%.*";
  char* at = with + 3;
  if constexpr (is_same_v<Number, long double>) *at++ = 'L';
  *at++ = *format;
  *at = 0;
  return snprintf(to, kRoom, with, precision, value);
}

to_chars_result give(char* first, char* last, const char* text, int size) {
  if (size > last - first) return {last, errc::value_too_large};
  char_traits<char>::copy(first, text, static_cast<size_t>(size));
  return {first + size, errc{}};
}

// inf, nan: no digits at all.
template <typename Number>
int special(char* to, Number value) {
  const char* const text = value != value ? "nan" : "inf";
  const bool minus = __builtin_signbit(value);
  if (minus) *to = '-';
  memcpy(to + minus, text, 3);
  return 3 + minus;
}
template <typename Number>
bool is_special(Number value) {
  return value - value != Number{0};
}

// "1.8p+3": printf without the 0x, and with a first digit of 1.
template <typename Number>
int print_hex(char* to, int precision, Number value) {
  const bool minus = __builtin_signbit(value);
  int size = 0;
  if (precision < 0)
    size = snprintf(to, kRoom, "%a", static_cast<double>(value));
  else
    size = snprintf(to, kRoom, "%.*a", precision, static_cast<double>(value));
  memmove(to + minus, to + minus + 2, static_cast<size_t>(size - minus - 2));
  return size - 2;
}

// The fewest digits that read back as the value, in scientific notation; how many.
template <typename Number>
int shortest(char* to, Number value, int& size) {
  for (int digits = 1;; ++digits) {
    size = print(to, "e", digits - 1, value);
    if (digits >= numeric_limits<Number>::max_digits10 || parse(to, nullptr, Number{}) == value) return digits;
  }
}

// Digits and exponent of scientific text as fixed text.
template <typename Number>
int fixed_of(char* to, const char* scientific, int digits, Number value) {
  const int exponent = atoi(strchr(scientific, 'e') + 1);
  if (exponent >= digits) return print(to, "f", 0, value);  // a whole number has all its digits
  return print(to, "f", digits - 1 - exponent > 0 ? digits - 1 - exponent : 0, value);
}

template <typename Number>
to_chars_result shortest_to_chars(char* first, char* last, Number value, const chars_format* wanted) {
  char text[kRoom], other[kRoom];
  if (is_special(value)) return give(first, last, text, special(text, value));
  if (wanted && *wanted == chars_format::hex) return give(first, last, text, print_hex(text, -1, value));
  int size;
  const int digits = shortest(text, value, size);
  if (wanted && *wanted == chars_format::scientific) return give(first, last, text, size);
  const int exponent = atoi(strchr(text, 'e') + 1);
  bool fixed = wanted && *wanted == chars_format::fixed;
  if (wanted && *wanted == chars_format::general) fixed = exponent >= -4 && exponent < 6;
  if (!wanted) {                              // the shorter one; fixed if both are as long
    const int least = exponent - digits + 1;  // of the last digit
    fixed = digits == 1 ? least >= -(digits + 2) && least <= 4 : least >= -(digits + 3) && least <= 5;
  }
  if (!fixed) return give(first, last, text, size);
  return give(first, last, other, fixed_of(other, text, digits, value));
}

template <typename Number>
to_chars_result precise_to_chars(char* first, char* last, Number value, chars_format format, int precision) {
  char text[kRoom];
  if (is_special(value)) return give(first, last, text, special(text, value));
  if (format == chars_format::hex) return give(first, last, text, print_hex(text, precision, value));
  if (precision < 0) precision = 6;
  const char* const letter = format == chars_format::fixed ? "f" : format == chars_format::scientific ? "e" : "g";
  return give(first, last, text, print(text, letter, precision, value));
}

bool is_digit_of(char c, bool hex) {
  return (c >= '0' && c <= '9') || (hex && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')));
}
bool begins(const char* at, const char* last, const char* word) {
  for (; *word; ++word, ++at)
    if (at == last || (*at | 32) != *word) return false;
  return true;
}

// How far a number reaches that the format allows; `first` if there is none.
const char* end_of_number(const char* first, const char* last, chars_format format) {
  const char* at = first;
  const bool hex = format == chars_format::hex;
  if (at != last && *at == '-') ++at;
  if (begins(at, last, "infinity")) return at + 8;
  if (begins(at, last, "inf")) return at + 3;
  if (begins(at, last, "nan")) {
    at += 3;
    if (at == last || *at != '(') return at;
    const char* inside = at + 1;
    while (inside != last && (isalnum(*inside) || *inside == '_')) ++inside;
    return inside != last && *inside == ')' ? inside + 1 : at;
  }
  bool digits = false;
  for (bool point = false; at != last; ++at) {
    if (is_digit_of(*at, hex))
      digits = true;
    else if (*at == '.' && !point)
      point = true;
    else
      break;
  }
  if (!digits) return first;
  if (format == chars_format::fixed) return at;
  const char* exponent = at;
  if (exponent != last && (*exponent | 32) == (hex ? 'p' : 'e')) {
    ++exponent;
    if (exponent != last && (*exponent == '+' || *exponent == '-')) ++exponent;
    if (exponent != last && is_digit_of(*exponent, false)) {
      while (exponent != last && is_digit_of(*exponent, false)) ++exponent;
      return exponent;
    }
  }
  return format == chars_format::scientific ? first : at;
}

template <typename Number>
from_chars_result number_from_chars(const char* first, const char* last, Number& value, chars_format format) {
  const char* const end = end_of_number(first, last, format);
  if (end == first) return {first, errc::invalid_argument};
  string text(first, end);
  const bool letters = text.find_first_of("iInN") != string::npos;
  if (format == chars_format::hex && !letters) text.insert(text[0] == '-' ? 1 : 0, "0x");
  const Number read = parse(text.c_str(), nullptr, Number{});
  const bool zero =
      text.find_first_of(format == chars_format::hex ? "123456789abcdefABCDEF" : "123456789") == string::npos;
  size_t mantissa = text.find_first_of(format == chars_format::hex ? "pP" : "eE");
  const bool vanished =
      read == 0 && !zero && text.substr(0, mantissa).find_first_of("123456789abcdfABCDF") != string::npos;
  if (!letters && (is_special(read) || vanished)) return {end, errc::result_out_of_range};
  value = read;
  // The library's own reader of hexadecimal numbers, of which long double has none, takes "-nan" for "nan".
  if (format == chars_format::hex && read != read && sizeof read <= 8) value = __builtin_copysign(read, Number{1});
  return {end, errc{}};
}

}  // namespace

#define HEDDLE_FLOAT(Number)                                                                                       \
  to_chars_result to_chars(char* first, char* last, Number value) noexcept {                                       \
    return shortest_to_chars(first, last, value, nullptr);                                                         \
  }                                                                                                                \
  to_chars_result to_chars(char* first, char* last, Number value, chars_format format) noexcept {                  \
    return shortest_to_chars(first, last, value, &format);                                                         \
  }                                                                                                                \
  to_chars_result to_chars(char* first, char* last, Number value, chars_format format, int digits) noexcept {      \
    return precise_to_chars(first, last, value, format, digits);                                                   \
  }                                                                                                                \
  from_chars_result from_chars(const char* first, const char* last, Number& value, chars_format format) noexcept { \
    return number_from_chars(first, last, value, format);                                                          \
  }
HEDDLE_FLOAT(float)
HEDDLE_FLOAT(double)
HEDDLE_FLOAT(long double)
#undef HEDDLE_FLOAT

}  // namespace std
