// Conversions between UTF-8, UTF-16 and UTF-32: the facets of <codecvt>, and codecvt of char16_t and char32_t.
#include <bits/c++config.h>
#include <codecvt>
#include <cwchar>
#include <locale>

namespace std {
namespace {

constexpr char32_t kIncomplete = static_cast<char32_t>(-2), kInvalid = static_cast<char32_t>(-1);
constexpr unsigned long kUnicodeMost = 0x10ffff, kOneUnitMost = 0xffff;
constexpr char32_t kByteOrderMark = 0xfeff, kReversedMark = 0xfffe;

// What is left of a text, or of the room for one.
template <typename T>
struct Part {
  T* at;
  T* end;
  size_t left() const { return static_cast<size_t>(end - at); }
};

template <typename Byte>
bool continues(const Part<const Byte>& from, size_t n) {
  return (static_cast<unsigned char>(from.at[n]) & 0xc0) == 0x80;
}

// A code point from UTF-8; the text continues after it if it is at most `most`.
template <typename Byte>
char32_t read_utf8(Part<const Byte>& from, unsigned long most) {
  const size_t left = from.left();
  if (left == 0) return kIncomplete;
  const auto byte = [&](size_t n) { return static_cast<unsigned char>(from.at[n]); };
  const char32_t first = byte(0);
  if (first < 0x80) {
    ++from.at;
    return first;
  }
  if (first < 0xc2 || first >= 0xf5) return kInvalid;  // no beginning, or one of an overlong form
  const size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (left < length) return kIncomplete;
  char32_t point = first & (0x7fu >> length);
  for (size_t n = 1; n < length; ++n) {
    if (!continues(from, n)) return kInvalid;
    const bool overlong = n == 1 && ((first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90));
    if (overlong || (n == 1 && first == 0xf4 && byte(1) >= 0x90)) return kInvalid;
    point = point << 6 | (byte(n) & 0x3f);
  }
  if (point <= most) from.at += length;
  return point;
}

template <typename Byte>
bool write_utf8(Part<Byte>& to, char32_t point) {
  const size_t length = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  if (to.left() < length) return false;
  constexpr unsigned char kFirst[] = {0, 0, 0xc0, 0xe0, 0xf0};
  for (size_t n = length; n-- > 1; point >>= 6) to.at[n] = static_cast<Byte>(0x80 | (point & 0x3f));
  to.at[0] = static_cast<Byte>(kFirst[length] | point);
  to.at += length;
  return true;
}

bool is_high(char32_t c) { return c >= 0xd800 && c <= 0xdbff; }
bool is_low(char32_t c) { return c >= 0xdc00 && c <= 0xdfff; }
char32_t joined(char32_t high, char32_t low) { return (high << 10) + low - 0x35fdc00; }

char32_t unit_at(const char* bytes, bool little) {
  const unsigned char first = static_cast<unsigned char>(bytes[0]), second = static_cast<unsigned char>(bytes[1]);
  return little ? first | second << 8 : first << 8 | second;
}

// A code point from UTF-16 in bytes.
char32_t read_utf16(Part<const char>& from, unsigned long most, bool little) {
  if (from.left() < 2) return kIncomplete;
  char32_t point = unit_at(from.at, little);
  size_t length = 2;
  if (is_high(point)) {
    if (from.left() < 4) return kIncomplete;
    const char32_t low = unit_at(from.at + 2, little);
    if (!is_low(low)) return kInvalid;
    point = joined(point, low);
    length = 4;
  } else if (is_low(point)) {
    return kInvalid;
  }
  if (point <= most) from.at += length;
  return point;
}

bool write_unit(Part<char>& to, char32_t unit, bool little) {
  if (to.left() < 2) return false;
  to.at[little ? 1 : 0] = static_cast<char>(unit >> 8);
  to.at[little ? 0 : 1] = static_cast<char>(unit);
  to.at += 2;
  return true;
}

bool write_utf16(Part<char>& to, char32_t point, bool little) {
  if (point <= kOneUnitMost) return write_unit(to, point, little);
  if (to.left() < 4) return false;
  return write_unit(to, 0xd7c0 + (point >> 10), little) && write_unit(to, 0xdc00 + (point & 0x3ff), little);
}

// The outside of a facet: UTF-8, or UTF-16 in bytes.
template <typename Byte>
struct Utf8 {
  static constexpr int kHeader = 3, kPairLength = 4, kUnitLength = 3;
  static constexpr bool kUnits = false;
  explicit Utf8(codecvt_mode mode) : mode(mode) {}
  void skip_header(Part<const Byte>& from) {
    constexpr unsigned char kMark[] = {0xef, 0xbb, 0xbf};
    if (!(mode & consume_header) || from.left() < 3) return;
    for (size_t n = 0; n < 3; ++n)
      if (static_cast<unsigned char>(from.at[n]) != kMark[n]) return;
    from.at += 3;
  }
  bool write_header(Part<Byte>& to) { return !(mode & generate_header) || write_utf8(to, kByteOrderMark); }
  char32_t read(Part<const Byte>& from, unsigned long most) { return read_utf8(from, most); }
  bool write(Part<Byte>& to, char32_t point) { return write_utf8(to, point); }
  codecvt_mode mode;
};

struct Utf16 {
  static constexpr int kHeader = 2, kPairLength = 4, kUnitLength = 2;
  static constexpr bool kUnits = true;  // of two bytes
  explicit Utf16(codecvt_mode mode) : mode(mode), little(mode & little_endian) {}
  void skip_header(Part<const char>& from) {  // which also gives the order of bytes
    if (!(mode & consume_header) || from.left() < 2) return;
    const char32_t mark = unit_at(from.at, false);
    if (mark != kByteOrderMark && mark != kReversedMark) return;
    little = mark == kReversedMark;
    from.at += 2;
  }
  bool write_header(Part<char>& to) { return !(mode & generate_header) || write_unit(to, kByteOrderMark, little); }
  char32_t read(Part<const char>& from, unsigned long most) { return read_utf16(from, most, little); }
  bool write(Part<char>& to, char32_t point) { return write_utf16(to, point, little); }
  codecvt_mode mode;
  bool little;
};

// The inside: a code point in one element (UCS-2 and UTF-32), or in one or two (UTF-16).
enum class Inside { Ucs2, Utf16, Utf32 };

template <Inside inside, typename Element>
bool put(Part<Element>& to, char32_t point) {
  if (inside != Inside::Utf16 || point <= kOneUnitMost) {
    if (to.left() < 1) return false;
    *to.at++ = static_cast<Element>(point);
    return true;
  }
  if (to.left() < 2) return false;
  *to.at++ = static_cast<Element>(0xd7c0 + (point >> 10));
  *to.at++ = static_cast<Element>(0xdc00 + (point & 0x3ff));
  return true;
}

template <Inside inside, typename Outside, typename Byte, typename Element>
codecvt_base::result convert_in(Outside outside, Part<const Byte>& from, Part<Element>& to, unsigned long most) {
  outside.skip_header(from);
  constexpr size_t kLeast = Outside::kUnits ? 2 : 1;
  while (from.left() >= kLeast && to.left() != 0) {
    const Byte* const before = from.at;
    const char32_t point = outside.read(from, most);
    if (point == kIncomplete) return inside == Inside::Ucs2 ? codecvt_base::error : codecvt_base::partial;
    if (point > most) return codecvt_base::error;
    if (!put<inside>(to, point)) {
      from.at = before;
      return codecvt_base::partial;
    }
  }
  if (from.left() == 0 || (!Outside::kUnits && inside != Inside::Utf32)) return codecvt_base::ok;
  return from.left() < kLeast ? codecvt_base::error : codecvt_base::partial;
}

template <Inside inside, typename Outside, typename Byte, typename Element>
codecvt_base::result convert_out(Outside outside, Part<const Element>& from, Part<Byte>& to, unsigned long most) {
  if (!outside.write_header(to)) return codecvt_base::partial;
  while (from.left() != 0) {
    if (inside == Inside::Ucs2 && Outside::kUnits && to.left() < 2) return codecvt_base::partial;
    char32_t point = static_cast<char32_t>(*from.at);
    size_t length = 1;
    if (inside == Inside::Utf16 && is_high(point)) {
      if (from.left() < 2) return codecvt_base::ok;  // the second half comes with the next call
      if (!is_low(static_cast<char32_t>(from.at[1]))) return codecvt_base::error;
      point = joined(point, static_cast<char32_t>(from.at[1]));
      length = 2;
    } else if (inside != Inside::Utf32 && (is_high(point) || (is_low(point) && !Outside::kUnits))) {
      return codecvt_base::error;
    }
    if (point > most) return codecvt_base::error;
    if (!outside.write(to, point)) return codecvt_base::partial;
    from.at += length;
  }
  return codecvt_base::ok;
}

// How many bytes make at most `count` elements.
template <Inside inside, typename Outside, typename Byte>
int measure(Outside outside, const Byte* begin, const Byte* end, size_t count, unsigned long most) {
  Part<const Byte> from{begin, end};
  outside.skip_header(from);
  while (count > 0) {
    // The last element has no room for the second half of a pair.
    const bool halves = inside == Inside::Utf16 && count == 1;
    const unsigned long fits = halves && most > kOneUnitMost ? kOneUnitMost : most;
    const char32_t point = outside.read(from, fits);
    if (point > fits) break;
    count -= inside == Inside::Utf16 && point > kOneUnitMost ? 2 : 1;
  }
  return static_cast<int>(from.at - begin);
}

template <Inside inside>
constexpr unsigned long most_of(unsigned long most) {
  return inside == Inside::Ucs2 && most > kOneUnitMost ? kOneUnitMost : most;
}

template <Inside inside, typename Outside>
int longest(codecvt_mode mode) {
  const int length = inside == Inside::Ucs2 ? Outside::kUnitLength : Outside::kPairLength;
  return length + (mode & consume_header ? Outside::kHeader : 0);
}

}  // namespace

// The members of one facet. `encoding` is what libstdc++ says.
#define HEDDLE_FACET(Facet, Element, Byte, Outside, inside, mode, most)                                          \
  codecvt_base::result Facet::do_out(state_type&, const Element* from, const Element* from_end,                  \
                                     const Element*& from_next, Byte* to, Byte* to_end, Byte*& to_next) const {  \
    Part<const Element> source{from, from_end};                                                                  \
    Part<Byte> target{to, to_end};                                                                               \
    const result done = convert_out<inside>(Outside(mode), source, target, most_of<inside>(most));               \
    from_next = source.at;                                                                                       \
    to_next = target.at;                                                                                         \
    return done;                                                                                                 \
  }                                                                                                              \
  codecvt_base::result Facet::do_unshift(state_type&, Byte* to, Byte*, Byte*& to_next) const {                   \
    to_next = to;                                                                                                \
    return noconv;                                                                                               \
  }                                                                                                              \
  codecvt_base::result Facet::do_in(state_type&, const Byte* from, const Byte* from_end, const Byte*& from_next, \
                                    Element* to, Element* to_end, Element*& to_next) const {                     \
    Part<const Byte> source{from, from_end};                                                                     \
    Part<Element> target{to, to_end};                                                                            \
    const result done = convert_in<inside>(Outside(mode), source, target, most_of<inside>(most));                \
    from_next = source.at;                                                                                       \
    to_next = target.at;                                                                                         \
    return done;                                                                                                 \
  }                                                                                                              \
  int Facet::do_encoding() const throw() { return 0; }                                                           \
  bool Facet::do_always_noconv() const throw() { return false; }                                                 \
  int Facet::do_length(state_type&, const Byte* from, const Byte* end, size_t count) const {                     \
    return measure<inside>(Outside(mode), from, end, count, most_of<inside>(most));                              \
  }                                                                                                              \
  int Facet::do_max_length() const throw() { return longest<inside, Outside>(mode); }

__codecvt_utf8_base<char16_t>::~__codecvt_utf8_base() {}
__codecvt_utf8_base<char32_t>::~__codecvt_utf8_base() {}
__codecvt_utf8_base<wchar_t>::~__codecvt_utf8_base() {}
__codecvt_utf16_base<char16_t>::~__codecvt_utf16_base() {}
__codecvt_utf16_base<char32_t>::~__codecvt_utf16_base() {}
__codecvt_utf16_base<wchar_t>::~__codecvt_utf16_base() {}
__codecvt_utf8_utf16_base<char16_t>::~__codecvt_utf8_utf16_base() {}
__codecvt_utf8_utf16_base<char32_t>::~__codecvt_utf8_utf16_base() {}
__codecvt_utf8_utf16_base<wchar_t>::~__codecvt_utf8_utf16_base() {}

HEDDLE_FACET(__codecvt_utf8_base<char16_t>, char16_t, char, Utf8<char>, Inside::Ucs2, _M_mode, _M_maxcode)
HEDDLE_FACET(__codecvt_utf8_base<char32_t>, char32_t, char, Utf8<char>, Inside::Utf32, _M_mode, _M_maxcode)
HEDDLE_FACET(__codecvt_utf8_base<wchar_t>, wchar_t, char, Utf8<char>, Inside::Utf32, _M_mode, _M_maxcode)
HEDDLE_FACET(__codecvt_utf16_base<char16_t>, char16_t, char, Utf16, Inside::Ucs2, _M_mode, _M_maxcode)
HEDDLE_FACET(__codecvt_utf16_base<char32_t>, char32_t, char, Utf16, Inside::Utf32, _M_mode, _M_maxcode)
HEDDLE_FACET(__codecvt_utf16_base<wchar_t>, wchar_t, char, Utf16, Inside::Utf32, _M_mode, _M_maxcode)
HEDDLE_FACET(__codecvt_utf8_utf16_base<char16_t>, char16_t, char, Utf8<char>, Inside::Utf16, _M_mode, _M_maxcode)
HEDDLE_FACET(__codecvt_utf8_utf16_base<char32_t>, char32_t, char, Utf8<char>, Inside::Utf16, _M_mode, _M_maxcode)
HEDDLE_FACET(__codecvt_utf8_utf16_base<wchar_t>, wchar_t, char, Utf8<char>, Inside::Utf16, _M_mode, _M_maxcode)

using Utf16AsBytes = codecvt<char16_t, char, mbstate_t>;
using Utf32AsBytes = codecvt<char32_t, char, mbstate_t>;
using Utf16AsUtf8 = codecvt<char16_t, char8_t, mbstate_t>;
using Utf32AsUtf8 = codecvt<char32_t, char8_t, mbstate_t>;
codecvt<char16_t, char, mbstate_t>::~codecvt() {}
codecvt<char16_t, char8_t, mbstate_t>::~codecvt() {}
codecvt<char32_t, char, mbstate_t>::~codecvt() {}
codecvt<char32_t, char8_t, mbstate_t>::~codecvt() {}
locale::id Utf16AsBytes::id;
locale::id Utf32AsBytes::id;
locale::id Utf16AsUtf8::id;
locale::id Utf32AsUtf8::id;
HEDDLE_FACET(Utf16AsBytes, char16_t, char, Utf8<char>, Inside::Utf16, codecvt_mode(0), kUnicodeMost)
HEDDLE_FACET(Utf32AsBytes, char32_t, char, Utf8<char>, Inside::Utf32, codecvt_mode(0), kUnicodeMost)
HEDDLE_FACET(Utf16AsUtf8, char16_t, char8_t, Utf8<char8_t>, Inside::Utf16, codecvt_mode(0), kUnicodeMost)
HEDDLE_FACET(Utf32AsUtf8, char32_t, char8_t, Utf8<char8_t>, Inside::Utf32, codecvt_mode(0), kUnicodeMost)

}  // namespace std
