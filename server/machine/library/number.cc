// stdlib.h, inttypes.h: text to numbers. The text that can belong to a number is taken from the guest up to the first
// byte that cannot, and the host's function, which is pure, converts it.
#include <cerrno>
#include <cstdlib>

#include "server/machine/library/support.h"

namespace heddle::machine::models {
namespace {

// White space, sign, prefix and digits in `base`, and where they end.
bool read_integer(Guest& g, Pointer text, int base, std::string& out) {
  uint8_t c;
  uint64_t at = 0;
  const auto next = [&] {
    out.push_back(static_cast<char>(c));
    at++;
    return load(g, after(text, at), c);
  };
  if (!load(g, text, c)) return false;
  while (is_space(c)) {
    if (!next()) return false;
  }
  if ((c == '+' || c == '-') && !next()) return false;
  int digits = base == 0 ? 10 : base;
  if (c == '0') {
    if (!next()) return false;
    if ((base == 0 || base == 16) && to_lower(c) == 'x') {
      digits = 16;
      if (!next()) return false;
    }
  }
  while (digit_value(c) < digits) {
    if (!next()) return false;
  }
  return true;
}

template <typename T, T (*convert)(const char*, char**, int)>
Status integer(Guest& g) {
  const int base = g.int_argument(2);
  if (base != 0 && (base < 2 || base > 36)) return failed_long(g, EINVAL, 0);
  std::string text;
  if (!read_integer(g, g.pointer(0), base, text)) return Status::Faulted;
  char* end = nullptr;
  errno = 0;
  const T value = convert(text.c_str(), &end, base);
  if (errno != 0 && !g.set_errno(errno)) return Status::Faulted;
  const Pointer rest = after(g.pointer(0), static_cast<uint64_t>(end - text.c_str()));
  if (g.pointer(1).bits != 0 && !store(g, g.pointer(1), rest.bits)) return Status::Faulted;
  return done(g, static_cast<uint64_t>(value));
}

template <typename T>
Status plain_integer(Guest& g) {  // atoi and the like
  std::string text;
  if (!read_integer(g, g.pointer(0), 10, text)) return Status::Faulted;
  const long long value = std::strtoll(text.c_str(), nullptr, 10);
  return sizeof(T) == 4 ? done_int(g, static_cast<int32_t>(value)) : done(g, static_cast<uint64_t>(value));
}

bool read_float(Guest& g, Pointer text, std::string& out) {
  bool started = false;
  for (uint64_t at = 0;; at++) {
    uint8_t c;
    if (!load(g, after(text, at), c)) return false;
    const bool part = is_alnum(c) || c == '.' || c == '+' || c == '-' || c == '(' || c == ')' || c == '_';
    if (!part && (started || !is_space(c))) return true;
    started |= part;
    out.push_back(static_cast<char>(c));
  }
}

void float_result(Guest& g, float value) { g.result_float(value); }
void float_result(Guest& g, double value) { g.result_double(value); }
void float_result(Guest& g, long double value) { g.result_long_double(value); }

template <typename T, T (*convert)(const char*, char**)>
Status floating(Guest& g) {
  std::string text;
  if (!read_float(g, g.pointer(0), text)) return Status::Faulted;
  char* end = nullptr;
  errno = 0;
  const T value = convert(text.c_str(), &end);
  if (errno != 0 && !g.set_errno(errno)) return Status::Faulted;
  const Pointer rest = after(g.pointer(0), static_cast<uint64_t>(end - text.c_str()));
  if (g.pointer(1).bits != 0 && !store(g, g.pointer(1), rest.bits)) return Status::Faulted;
  float_result(g, value);
  return Status::Done;
}

Status atof_(Guest& g) {
  std::string text;
  if (!read_float(g, g.pointer(0), text)) return Status::Faulted;
  g.result_double(std::strtod(text.c_str(), nullptr));
  return Status::Done;
}

constexpr Builtin kSigned = integer<long long, std::strtoll>;
constexpr Builtin kUnsigned = integer<unsigned long long, std::strtoull>;

constexpr BuiltinRow kRows[] = {
    {"strtol", kSigned},
    {"strtoll", kSigned},
    {"strtoq", kSigned},
    {"strtoimax", kSigned},
    {"__strtol_internal", kSigned},
    {"__isoc23_strtol", kSigned},
    {"__isoc23_strtoll", kSigned},
    {"__isoc23_strtoimax", kSigned},
    {"strtoul", kUnsigned},
    {"strtoull", kUnsigned},
    {"strtouq", kUnsigned},
    {"strtoumax", kUnsigned},
    {"__strtoul_internal", kUnsigned},
    {"__isoc23_strtoul", kUnsigned},
    {"__isoc23_strtoull", kUnsigned},
    {"__isoc23_strtoumax", kUnsigned},
    {"atoi", plain_integer<int32_t>},
    {"atol", plain_integer<int64_t>},
    {"atoll", plain_integer<int64_t>},
    {"strtod", floating<double, std::strtod>},
    {"strtof", floating<float, std::strtof>},
    {"strtold", floating<long double, std::strtold>},
    {"atof", atof_},
};

}  // namespace

std::span<const BuiltinRow> number_rows() { return kRows; }

}  // namespace heddle::machine::models
