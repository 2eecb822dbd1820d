// wchar.h, wctype.h and the multibyte functions of stdlib.h, in the C locale: every wide character is an ASCII one.
#include <cerrno>

#include "server/machine/library/support.h"

namespace heddle::machine::models {
namespace {

Pointer wide_at(Pointer p, uint64_t n) { return after(p, 4 * n); }

bool wide_length(Guest& g, Pointer text, uint64_t limit, uint64_t& length) {
  for (length = 0; length < limit; length++) {
    int32_t c;
    if (!load(g, wide_at(text, length), c)) return false;
    if (c == 0) return true;
  }
  return true;
}
constexpr uint64_t kNoLimit = ~uint64_t{0};

Status wcslen_(Guest& g) {
  uint64_t length;
  if (!wide_length(g, g.pointer(0), kNoLimit, length)) return Status::Faulted;
  return done(g, length);
}
Status wcsnlen_(Guest& g) {
  uint64_t length;
  if (!wide_length(g, g.pointer(0), g.argument(1), length)) return Status::Faulted;
  return done(g, length);
}

Status copy_wide(Guest& g, Pointer to, Pointer from, uint64_t count, bool may_overlap) {
  if (!g.copy(to, from, count * 4, may_overlap)) return Status::Faulted;
  return done(g, g.pointer(0));
}
Status wcscpy_(Guest& g) {
  uint64_t length;
  if (!wide_length(g, g.pointer(1), kNoLimit, length)) return Status::Faulted;
  return copy_wide(g, g.pointer(0), g.pointer(1), length + 1, false);
}
Status wcscat_(Guest& g) {
  uint64_t have, length;
  if (!wide_length(g, g.pointer(0), kNoLimit, have) || !wide_length(g, g.pointer(1), kNoLimit, length))
    return Status::Faulted;
  return copy_wide(g, wide_at(g.pointer(0), have), g.pointer(1), length + 1, false);
}
Status wcsncpy_(Guest& g) {
  uint64_t length;
  const uint64_t limit = g.argument(2);
  if (!wide_length(g, g.pointer(1), limit, length)) return Status::Faulted;
  if (!g.fill(wide_at(g.pointer(0), length), 0, 4 * (limit - length))) return Status::Faulted;
  return copy_wide(g, g.pointer(0), g.pointer(1), length, false);
}
Status wmemcpy_(Guest& g) { return copy_wide(g, g.pointer(0), g.pointer(1), g.argument(2), false); }
Status wmemmove_(Guest& g) { return copy_wide(g, g.pointer(0), g.pointer(1), g.argument(2), true); }
Status wmemset_(Guest& g) {
  const int32_t c = g.int_argument(1);
  for (uint64_t i = 0; i < g.argument(2); i++) {
    if (!store(g, wide_at(g.pointer(0), i), c)) return Status::Faulted;
  }
  return done(g, g.pointer(0));
}

Status wmemchr_(Guest& g) {
  for (uint64_t i = 0; i < g.argument(2); i++) {
    int32_t c;
    if (!load(g, wide_at(g.pointer(0), i), c)) return Status::Faulted;
    if (c == g.int_argument(1)) return done(g, wide_at(g.pointer(0), i));
  }
  return done(g, 0);
}

template <bool is_text>
Status compare(Guest& g, uint64_t limit) {
  for (uint64_t i = 0; i < limit; i++) {
    int32_t left, right;
    if (!load(g, wide_at(g.pointer(0), i), left) || !load(g, wide_at(g.pointer(1), i), right)) return Status::Faulted;
    if (left != right) return done_int(g, left < right ? -1 : 1);
    if (is_text && left == 0) break;
  }
  return done_int(g, 0);
}
Status wcscmp_(Guest& g) { return compare<true>(g, kNoLimit); }
Status wcsncmp_(Guest& g) { return compare<true>(g, g.argument(2)); }
Status wmemcmp_(Guest& g) { return compare<false>(g, g.argument(2)); }

template <bool last>
Status find_wide(Guest& g) {
  Pointer found;
  for (uint64_t i = 0;; i++) {
    int32_t c;
    if (!load(g, wide_at(g.pointer(0), i), c)) return Status::Faulted;
    if (c == g.int_argument(1)) {
      found = wide_at(g.pointer(0), i);
      if (!last) return done(g, found);
    }
    if (c == 0) return done(g, found);
  }
}

template <bool (*holds)(int)>
Status classify(Guest& g) {
  return done_int(g, holds(g.int_argument(0)) ? 1 : 0);
}
template <int (*convert)(int)>
Status convert_case(Guest& g) {
  return done_int(g, convert(g.int_argument(0)));
}

Status btowc_(Guest& g) {
  const int32_t c = g.int_argument(0);
  return done_int(g, c >= 0 && c < 128 ? c : -1);
}

// mbtowc(to, from, size): bytes used, -1 for none of ours
Status mbtowc_(Guest& g) {
  if (g.pointer(1).bits == 0) return done_int(g, 0);
  if (g.argument(2) == 0) return done_int(g, -1);
  uint8_t byte;
  if (!load(g, g.pointer(1), byte)) return Status::Faulted;
  if (byte > 127) return failed(g, EILSEQ);
  if (g.pointer(0).bits != 0 && !store(g, g.pointer(0), static_cast<int32_t>(byte))) return Status::Faulted;
  return done_int(g, byte != 0);
}
Status mblen_(Guest& g) {
  if (g.pointer(0).bits == 0) return done_int(g, 0);
  if (g.argument(1) == 0) return done_int(g, -1);
  uint8_t byte;
  if (!load(g, g.pointer(0), byte)) return Status::Faulted;
  return byte > 127 ? failed(g, EILSEQ) : done_int(g, byte != 0);
}
Status wctomb_(Guest& g) {
  if (g.pointer(0).bits == 0) return done_int(g, 0);
  const int32_t c = g.int_argument(1);
  if (c < 0 || c > 127) return failed(g, EILSEQ);
  if (!store(g, g.pointer(0), static_cast<uint8_t>(c))) return Status::Faulted;
  return done_int(g, 1);
}

// mbstowcs(to, from, count) and wcstombs(to, from, bytes): how many characters, without the terminator
template <typename From, typename To>
Status convert_text(Guest& g) {
  const bool stores = g.pointer(0).bits != 0;
  const uint64_t limit = stores ? g.argument(2) : kNoLimit;
  for (uint64_t i = 0; i < limit; i++) {
    From c;
    if (!load(g, after(g.pointer(1), i * sizeof(From)), c)) return Status::Faulted;
    if (c > 127) return failed_long(g, EILSEQ, -1);
    if (stores && !store(g, after(g.pointer(0), i * sizeof(To)), static_cast<To>(c))) return Status::Faulted;
    if (c == 0) return done(g, i);
  }
  return done(g, limit);
}

bool is_blank(int c) { return c == ' ' || c == '\t'; }
bool is_graph(int c) { return c > 32 && c < 127; }
bool is_punctuation(int c) { return is_graph(c) && !is_alnum(c); }
bool is_control(int c) { return (c >= 0 && c < 32) || c == 127; }

// What wctype and wctrans give is a place in these lists, from 1 on.
template <typename Function>
struct Named {
  std::string_view name;
  Function run;
};
constexpr Named<bool (*)(int)> kClasses[] = {
    {"alpha", is_alpha}, {"digit", is_digit}, {"alnum", is_alnum},       {"space", is_space},
    {"upper", is_upper}, {"lower", is_lower}, {"print", is_print},       {"xdigit", is_hex},
    {"blank", is_blank}, {"graph", is_graph}, {"punct", is_punctuation}, {"cntrl", is_control},
};
constexpr Named<int (*)(int)> kConversions[] = {{"tolower", to_lower}, {"toupper", to_upper}};

template <const auto& list>
Status look_up(Guest& g) {
  std::string name;
  if (!g.read_string(g.pointer(0), name)) return Status::Faulted;
  for (uint64_t n = 0; n < std::size(list); n++) {
    if (list[n].name == name) return done(g, n + 1);
  }
  return done(g, 0);
}
Status iswctype_(Guest& g) {
  const uint64_t n = g.argument(1) - 1;
  return done_int(g, n < std::size(kClasses) && kClasses[n].run(g.int_argument(0)));
}
Status towctrans_(Guest& g) {
  const uint64_t n = g.argument(1) - 1;
  if (n < std::size(kConversions)) return done_int(g, kConversions[n].run(g.int_argument(0)));
  return done_int(g, g.int_argument(0));
}

constexpr BuiltinRow kRows[] = {
    {"wcslen", wcslen_},
    {"wcsnlen", wcsnlen_},
    {"wcscpy", wcscpy_},
    {"wcsncpy", wcsncpy_},
    {"wcscat", wcscat_},
    {"wmemcpy", wmemcpy_},
    {"wmemmove", wmemmove_},
    {"wmemset", wmemset_},
    {"wmemchr", wmemchr_},
    {"wcscmp", wcscmp_},
    {"wcscoll", wcscmp_},
    {"wcsncmp", wcsncmp_},
    {"wmemcmp", wmemcmp_},
    {"wcschr", find_wide<false>},
    {"wcsrchr", find_wide<true>},
    {"iswalpha", classify<is_alpha>},
    {"iswdigit", classify<is_digit>},
    {"iswalnum", classify<is_alnum>},
    {"iswspace", classify<is_space>},
    {"iswupper", classify<is_upper>},
    {"iswlower", classify<is_lower>},
    {"iswprint", classify<is_print>},
    {"iswxdigit", classify<is_hex>},
    {"iswblank", classify<is_blank>},
    {"iswgraph", classify<is_graph>},
    {"iswpunct", classify<is_punctuation>},
    {"iswcntrl", classify<is_control>},
    {"wctype", look_up<kClasses>},
    {"iswctype", iswctype_},
    {"wctrans", look_up<kConversions>},
    {"towctrans", towctrans_},
    {"towlower", convert_case<to_lower>},
    {"towupper", convert_case<to_upper>},
    {"btowc", btowc_},
    {"wctob", btowc_},
    {"mbtowc", mbtowc_},
    {"mblen", mblen_},
    {"wctomb", wctomb_},
    {"mbstowcs", convert_text<uint8_t, uint32_t>},
    {"wcstombs", convert_text<uint32_t, uint8_t>},
};

}  // namespace

std::span<const BuiltinRow> wide_rows() { return kRows; }

}  // namespace heddle::machine::models
