// ctype.h, in the C locale: the functions and the tables that the header's macros index.
#include <array>

#include "server/machine/library/support.h"

namespace heddle::machine {
namespace models {
namespace {

using Predicate = bool (*)(int);
bool is_blank(int c) { return c == ' ' || c == '\t'; }
bool is_control(int c) { return (c >= 0 && c < 32) || c == 127; }
bool is_graph(int c) { return c > 32 && c < 127; }
bool is_punctuation(int c) { return is_graph(c) && !is_alnum(c); }

// glibc's bit of each class in the table of __ctype_b_loc; a predicate returns the bit, as the functions do.
struct Class {
  Predicate holds;
  uint16_t bit;
};
constexpr Class kUpper{is_upper, 1 << 8}, kLower{is_lower, 1 << 9}, kAlpha{is_alpha, 1 << 10},
    kDigit{is_digit, 1 << 11}, kHex{is_hex, 1 << 12}, kSpace{is_space, 1 << 13}, kPrint{is_print, 1 << 14},
    kGraph{is_graph, 1 << 15}, kBlank{is_blank, 1 << 0}, kControl{is_control, 1 << 1},
    kPunctuation{is_punctuation, 1 << 2}, kAlnum{is_alnum, 1 << 3};
constexpr Class kClasses[] = {kUpper, kLower, kAlpha, kDigit,   kHex,         kSpace,
                              kPrint, kGraph, kBlank, kControl, kPunctuation, kAlnum};

template <const Class& C>
Status classify(Guest& g) {
  return done_int(g, C.holds(g.int_argument(0)) ? C.bit : 0);
}

Status isascii_(Guest& g) { return done_int(g, g.int_argument(0) >= 0 && g.int_argument(0) < 128); }
Status toascii_(Guest& g) { return done_int(g, g.int_argument(0) & 127); }
Status tolower_(Guest& g) { return done_int(g, to_lower(g.int_argument(0))); }
Status toupper_(Guest& g) { return done_int(g, to_upper(g.int_argument(0))); }

// A table for characters -128..255 and, in front of it, the pointer to its entry for 0. The pointer is set last: it
// says that the table is there.
template <typename T, typename Value>
Status table(Guest& g, const char* name, Value value) {
  constexpr uint32_t kEntries = 384, kZero = 128;
  const Pointer object = g.process_object(name, 8 + kEntries * sizeof(T));
  const Pointer zero = after(object, 8 + kZero * sizeof(T));
  uint64_t present;
  if (!load(g, object, present)) return Status::Faulted;
  if (present == 0) {
    std::array<T, kEntries> entries;
    for (int i = 0; i < static_cast<int>(kEntries); i++)
      entries[i] = static_cast<T>(value(i - static_cast<int>(kZero)));
    if (!store(g, after(object, 8), entries) || !store(g, object, zero.bits)) return Status::Faulted;
  }
  return done(g, object);
}

Status class_table(Guest& g) {
  return table<uint16_t>(g, "heddle.ctype.class", [](int c) {
    uint16_t bits = 0;
    for (const Class& one : kClasses) bits |= one.holds(c) ? one.bit : 0;
    return bits;
  });
}
// Entries -128..-2 repeat those of 128..254, as glibc has it, so that plain char works.
int wrapped(int c, int (*convert)(int)) { return c < -1 ? c + 256 : convert(c); }
Status lower_table(Guest& g) {
  return table<int32_t>(g, "heddle.ctype.lower", [](int c) { return wrapped(c, to_lower); });
}
Status upper_table(Guest& g) {
  return table<int32_t>(g, "heddle.ctype.upper", [](int c) { return wrapped(c, to_upper); });
}

constexpr BuiltinRow kRows[] = {
    {"isupper", classify<kUpper>},
    {"islower", classify<kLower>},
    {"isalpha", classify<kAlpha>},
    {"isdigit", classify<kDigit>},
    {"isxdigit", classify<kHex>},
    {"isspace", classify<kSpace>},
    {"isprint", classify<kPrint>},
    {"isgraph", classify<kGraph>},
    {"isblank", classify<kBlank>},
    {"iscntrl", classify<kControl>},
    {"ispunct", classify<kPunctuation>},
    {"isalnum", classify<kAlnum>},
    {"isascii", isascii_},
    {"toascii", toascii_},
    {"tolower", tolower_},
    {"toupper", toupper_},
    {"_tolower", tolower_},
    {"_toupper", toupper_},
    {"__ctype_b_loc", class_table},
    {"__ctype_tolower_loc", lower_table},
    {"__ctype_toupper_loc", upper_table},
};

}  // namespace
}  // namespace models

std::span<const BuiltinRow> ctype_builtins() { return models::kRows; }

}  // namespace heddle::machine
