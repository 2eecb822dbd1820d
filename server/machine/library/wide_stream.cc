// wchar.h: wide input and output, numbers, conversion of texts; in the C locale, where a wide character is one byte.
// The formats are those of printf and scanf, which read %ls and %s the same way.
#include <cerrno>
#include <cstdlib>

#include "server/machine/library/format.h"
#include "server/machine/library/stream.h"

namespace heddle::machine::models {
namespace {

constexpr int32_t kWideEnd = -1;

// Wide text as bytes; `failed` with errno if a character has none. `limit`: characters at most.
bool read_wide(Guest& g, Pointer from, std::string& out, bool& failed, uint64_t limit = ~uint64_t{0}) {
  failed = false;
  out.clear();
  for (uint64_t n = 0; n < limit; ++n) {
    uint32_t c;
    if (!load(g, after(from, 4 * n), c)) return false;
    if (c == 0) return true;
    if (c > 127) {
      failed = true;
      return g.set_errno(EILSEQ);
    }
    out += static_cast<char>(c);
  }
  return true;
}

bool write_wide(Guest& g, Pointer to, std::string_view text) {  // with terminator
  if (!g.fits(to, 4 * (text.size() + 1))) return false;
  for (uint64_t n = 0; n <= text.size(); ++n) {
    const uint32_t c = n < text.size() ? static_cast<uint8_t>(text[n]) : 0;
    if (!store(g, after(to, 4 * n), c)) return false;
  }
  return true;
}

Pointer standard(Guest& g, const char* name, bool& good) {
  Pointer at;
  good = load(g, g.process_object(name, 8), at.bits);
  return at;
}

bool load_wide(Guest& g, Pointer& at, Stream& s) {
  if (!load_stream(g, at, s)) return false;
  orient(s, 1);
  return true;
}

// --- single characters and lines

Status put_to(Guest& g, Pointer at, uint32_t c) {
  Stream s;
  if (!load_wide(g, at, s)) return Status::Faulted;
  if (c > 127) {
    s.flags |= kErrorSeen;
    return store(g, at, s) ? failed(g, EILSEQ) : Status::Faulted;
  }
  const char byte = static_cast<char>(c);
  if (!put_buffered(g, s, {&byte, 1}) || !store(g, at, s)) return Status::Faulted;
  return done_int(g, (s.mode & kWritable) != 0 ? static_cast<int32_t>(c) : kWideEnd);
}
Status fputwc_(Guest& g) { return put_to(g, g.pointer(1), static_cast<uint32_t>(g.argument(0))); }
Status putwchar_(Guest& g) {
  bool good;
  const Pointer at = standard(g, "stdout", good);
  return good ? put_to(g, at, static_cast<uint32_t>(g.argument(0))) : Status::Faulted;
}

Status get_from(Guest& g, Pointer at) {
  Stream s;
  int c;
  if (!load_wide(g, at, s) || !get_character(g, s, c) || !store(g, at, s)) return Status::Faulted;
  return c > 127 ? failed(g, EILSEQ) : done_int(g, c);
}
Status fgetwc_(Guest& g) { return get_from(g, g.pointer(0)); }
Status getwchar_(Guest& g) {
  bool good;
  const Pointer at = standard(g, "stdin", good);
  return good ? get_from(g, at) : Status::Faulted;
}
Status ungetwc_(Guest& g) {
  Stream s;
  Pointer at = g.pointer(1);
  const int32_t c = g.int_argument(0);
  if (!load_stream(g, at, s)) return Status::Faulted;
  if (c < 0 || c > 127 || s.pushed == sizeof s.pushed_back) return done_int(g, kWideEnd);
  s.pushed_back[s.pushed++] = static_cast<uint8_t>(c);
  s.flags &= ~kEndSeen;
  if (!store(g, at, s)) return Status::Faulted;
  return done_int(g, c);
}

Status fputws_(Guest& g) {
  std::string text;
  bool bad;
  Stream s;
  Pointer at = g.pointer(1);
  if (!read_wide(g, g.pointer(0), text, bad)) return Status::Faulted;
  if (bad) return done_int(g, -1);
  if (!load_wide(g, at, s) || !put_buffered(g, s, text) || !store(g, at, s)) return Status::Faulted;
  return done_int(g, (s.mode & kWritable) != 0 ? 1 : -1);
}
Status fgetws_(Guest& g) {
  Stream s;
  std::string line;
  Pointer at = g.pointer(2);
  const int32_t most = g.int_argument(1);
  if (!load_wide(g, at, s)) return Status::Faulted;
  while (static_cast<int64_t>(line.size()) + 1 < most && !line.ends_with('\n')) {
    int c;
    if (!get_character(g, s, c)) return Status::Faulted;
    if (c < 0) break;
    line += static_cast<char>(c);
  }
  if (!store(g, at, s)) return Status::Faulted;
  if (most <= 0 || (line.empty() && most > 1)) return done(g, uint64_t{0});
  if (!write_wide(g, g.pointer(0), line)) return Status::Faulted;
  return done(g, g.pointer(0));
}

Status fwide_(Guest& g) {
  Stream s;
  Pointer at = g.pointer(0);
  const int32_t wanted = g.int_argument(1);
  if (!load_stream(g, at, s)) return Status::Faulted;
  if (wanted != 0) orient(s, wanted > 0 ? 1 : -1);
  return store(g, at, s) ? done_int(g, s.orientation) : Status::Faulted;
}

// --- formats

bool make_text(Guest& g, uint32_t format_at, bool list, std::string& text, bool& failed,
               std::vector<TextRange>* read = nullptr) {
  std::string format;
  if (!read_wide(g, g.pointer(format_at), format, failed)) return false;
  if (failed) return true;
  VariadicReader& arguments = list ? g.variadic_list(g.pointer(format_at + 1)) : g.variadic_arguments(format_at + 1);
  if (read != nullptr) read->push_back({g.pointer(format_at), 4 * (format.size() + 1)});
  return format_text(g, std::move(format), arguments, text, failed, read);
}

Status print_to(Guest& g, Pointer at, uint32_t format_at, bool list) {
  std::string text;
  bool failed;
  Stream s;
  if (!load_wide(g, at, s) || !make_text(g, format_at, list, text, failed) || !put_buffered(g, s, text) ||
      !store(g, at, s))
    return Status::Faulted;
  return done_int(g, failed || (s.mode & kWritable) == 0 ? -1 : static_cast<int32_t>(text.size()));
}
template <bool list>
Status wprintf_(Guest& g) {
  bool good;
  const Pointer at = standard(g, "stdout", good);
  return good ? print_to(g, at, 0, list) : Status::Faulted;
}
template <bool list>
Status fwprintf_(Guest& g) {
  return print_to(g, g.pointer(0), 1, list);
}
template <bool list>
Status swprintf_(Guest& g) {
  std::string text;
  bool failed;
  std::vector<TextRange> read;
  if (!make_text(g, 2, list, text, failed, &read)) return Status::Faulted;
  const uint64_t size = g.argument(1);
  const bool fits = text.size() < size;
  if (!fits) text.resize(size == 0 ? 0 : size - 1);
  if (size > 0 && !keeps_apart(g, {g.pointer(0), 4 * (text.size() + 1)}, read)) return Status::Faulted;
  if (size > 0 && !write_wide(g, g.pointer(0), text)) return Status::Faulted;
  return done_int(g, failed || !fits ? -1 : static_cast<int32_t>(text.size()));
}

class WideSource : public CharacterSource {
 public:
  WideSource(Guest& g, Pointer text) : g_(g), text_(text) {}
  bool next(int& c) override {
    uint32_t wide;
    if (!load(g_, after(text_, 4 * at_), wide)) return false;
    c = wide == 0 ? -1 : static_cast<int>(wide & 0xff);
    if (wide != 0) at_++;
    return true;
  }
  bool back(int c) override {
    if (c >= 0) at_--;
    return true;
  }

 private:
  Guest& g_;
  Pointer text_;
  uint64_t at_ = 0;
};

template <bool list>
Status swscanf_(Guest& g) {
  std::string format;
  bool failed;
  int assigned = -1;
  if (!read_wide(g, g.pointer(1), format, failed)) return Status::Faulted;
  WideSource source(g, g.pointer(0));
  VariadicReader& targets = list ? g.variadic_list(g.pointer(2)) : g.variadic_arguments(2);
  if (!failed && !scan_text(g, source, std::move(format), targets, assigned)) return Status::Faulted;
  return done_int(g, assigned);
}

// --- numbers

// The text that a number can be in: what follows the first character beyond ASCII is none.
bool number_text(Guest& g, std::string& text) {
  for (uint64_t n = 0;; ++n) {
    uint32_t c;
    if (!load(g, after(g.pointer(0), 4 * n), c)) return false;
    if (c == 0 || c > 127) return true;
    text += static_cast<char>(c);
  }
}
template <typename Number, typename Parse>
bool parse_wide(Guest& g, Number& value, Parse parse) {
  std::string text;
  if (!number_text(g, text)) return false;
  char* end;
  errno = 0;
  value = parse(text.c_str(), &end);
  const int error = errno;
  const Pointer stopped = after(g.pointer(0), 4 * static_cast<uint64_t>(end - text.c_str()));
  if (g.pointer(1).bits != 0 && !store(g, g.pointer(1), stopped.bits)) return false;
  return error == 0 || g.set_errno(error);
}
Status wcstol_(Guest& g) {
  long value;
  const int base = g.int_argument(2);
  if (!parse_wide(g, value, [&](const char* t, char** e) { return std::strtol(t, e, base); })) return Status::Faulted;
  return done(g, static_cast<uint64_t>(value));
}
Status wcstoul_(Guest& g) {
  unsigned long value;
  const int base = g.int_argument(2);
  if (!parse_wide(g, value, [&](const char* t, char** e) { return std::strtoul(t, e, base); })) return Status::Faulted;
  return done(g, uint64_t{value});
}
Status wcstod_(Guest& g) {
  double value;
  if (!parse_wide(g, value, [](const char* t, char** e) { return std::strtod(t, e); })) return Status::Faulted;
  g.result_double(value);
  return Status::Done;
}
Status wcstof_(Guest& g) {
  float value;
  if (!parse_wide(g, value, [](const char* t, char** e) { return std::strtof(t, e); })) return Status::Faulted;
  g.result_float(value);
  return Status::Done;
}
Status wcstold_(Guest& g) {
  long double value;
  if (!parse_wide(g, value, [](const char* t, char** e) { return std::strtold(t, e); })) return Status::Faulted;
  g.result_long_double(value);
  return Status::Done;
}

// --- parts of texts

bool contains(Guest& g, Pointer set, uint32_t c, bool& found) {
  found = false;
  for (uint64_t n = 0; !found; ++n) {
    uint32_t member;
    if (!load(g, after(set, 4 * n), member)) return false;
    if (member == 0) return true;
    found = member == c;
  }
  return true;
}

// Characters from `text` on as long as they are in the set, or are not.
bool span_of(Guest& g, Pointer text, Pointer set, bool in, uint64_t& length) {
  for (length = 0;; ++length) {
    uint32_t c;
    bool found;
    if (!load(g, after(text, 4 * length), c)) return false;
    if (c == 0) return true;
    if (!contains(g, set, c, found)) return false;
    if (found != in) return true;
  }
}
template <bool in>
Status wcsspn_(Guest& g) {
  uint64_t length;
  if (!span_of(g, g.pointer(0), g.pointer(1), in, length)) return Status::Faulted;
  return done(g, length);
}
Status wcspbrk_(Guest& g) {
  uint64_t length;
  uint32_t c;
  if (!span_of(g, g.pointer(0), g.pointer(1), false, length) || !load(g, after(g.pointer(0), 4 * length), c))
    return Status::Faulted;
  return done(g, c == 0 ? uint64_t{0} : g.pointer(0).bits + 4 * length);
}
Status wcsstr_(Guest& g) {
  for (uint64_t start = 0;; ++start) {
    for (uint64_t n = 0;; ++n) {
      uint32_t wanted, c;
      if (!load(g, after(g.pointer(1), 4 * n), wanted)) return Status::Faulted;
      if (wanted == 0) return done(g, after(g.pointer(0), 4 * start));
      if (!load(g, after(g.pointer(0), 4 * (start + n)), c)) return Status::Faulted;
      if (c == 0) return done(g, uint64_t{0});
      if (c != wanted) break;
    }
  }
}
Status wcstok_(Guest& g) {  // (text or null, delimiters, where to continue)
  uint64_t at = g.argument(0), length;
  uint32_t c;
  if (at == 0 && !load(g, g.pointer(2), at)) return Status::Faulted;
  if (at == 0) return done(g, uint64_t{0});
  if (!span_of(g, {at}, g.pointer(1), true, length)) return Status::Faulted;
  const uint64_t token = at + 4 * length;
  if (!span_of(g, {token}, g.pointer(1), false, length) || !load(g, after({token}, 4 * length), c))
    return Status::Faulted;
  const uint64_t end = token + 4 * length;
  if (c != 0 && !store(g, {end}, uint32_t{0})) return Status::Faulted;
  if (!store(g, g.pointer(2), c != 0 ? end + 4 : length == 0 ? uint64_t{0} : end)) return Status::Faulted;
  return done(g, length == 0 ? uint64_t{0} : token);
}
Status wcsncat_(Guest& g) {
  uint64_t have = 0, n = 0;
  for (uint32_t c = 1; c != 0; have += c != 0)
    if (!load(g, after(g.pointer(0), 4 * have), c)) return Status::Faulted;
  for (uint32_t c = 1; n < g.argument(2); ++n) {
    if (!load(g, after(g.pointer(1), 4 * n), c)) return Status::Faulted;
    if (c == 0) break;
    if (!store(g, after(g.pointer(0), 4 * (have + n)), c)) return Status::Faulted;
  }
  if (!store(g, after(g.pointer(0), 4 * (have + n)), uint32_t{0})) return Status::Faulted;
  return done(g, g.pointer(0));
}
Status wcsdup_(Guest& g) {
  uint64_t length = 0;
  for (uint32_t c = 1; c != 0; ++length)
    if (!load(g, after(g.pointer(0), 4 * length), c)) return Status::Faulted;
  const Pointer block = g.allocate(4 * length, 16, false);
  if (block.bits == 0) return done(g, block);
  if (!g.copy(block, g.pointer(0), 4 * length, false)) return Status::Faulted;
  return done(g, block);
}

// --- conversions that remember a state: there is nothing to remember

Status mbrtowc_(Guest& g) {  // (to, from, size, state)
  if (g.pointer(1).bits == 0) return done(g, uint64_t{0});
  if (g.argument(2) == 0) return done(g, ~uint64_t{1});
  uint8_t byte;
  if (!load(g, g.pointer(1), byte)) return Status::Faulted;
  if (byte > 127) return failed_long(g, EILSEQ, -1);
  if (g.pointer(0).bits != 0 && !store(g, g.pointer(0), uint32_t{byte})) return Status::Faulted;
  return done(g, uint64_t{byte != 0});
}
Status mbrlen_(Guest& g) {
  if (g.pointer(0).bits == 0) return done(g, uint64_t{0});
  if (g.argument(1) == 0) return done(g, ~uint64_t{1});
  uint8_t byte;
  if (!load(g, g.pointer(0), byte)) return Status::Faulted;
  return byte > 127 ? failed_long(g, EILSEQ, -1) : done(g, uint64_t{byte != 0});
}
Status wcrtomb_(Guest& g) {
  if (g.pointer(0).bits == 0) return done(g, uint64_t{1});
  const uint32_t c = static_cast<uint32_t>(g.argument(1));
  if (c > 127) return failed_long(g, EILSEQ, -1);
  if (!store(g, g.pointer(0), static_cast<uint8_t>(c))) return Status::Faulted;
  return done(g, uint64_t{1});
}
Status mbsinit_(Guest& g) { return done_int(g, 1); }

// (to, pointer to from, characters to take at most, room, state), or without the third
template <typename From, typename To, bool limited>
Status convert(Guest& g) {
  uint64_t from;
  if (!load(g, g.pointer(1), from)) return Status::Faulted;
  const bool stores = g.pointer(0).bits != 0;
  const uint64_t most = limited ? g.argument(2) : ~uint64_t{0};
  const uint64_t room = stores ? g.argument(limited ? 3 : 2) : ~uint64_t{0};
  uint64_t n = 0, stopped = 0;
  for (;; ++n) {
    stopped = from + n * sizeof(From);
    if (n >= most || n >= room) break;
    From c;
    if (!load(g, {stopped}, c)) return Status::Faulted;
    if (c > 127) {
      if (stores && !store(g, g.pointer(1), stopped)) return Status::Faulted;
      return failed_long(g, EILSEQ, -1);
    }
    if (stores && !store(g, after(g.pointer(0), n * sizeof(To)), static_cast<To>(c))) return Status::Faulted;
    if (c != 0) continue;
    stopped = 0;
    break;
  }
  if (stores && !store(g, g.pointer(1), stopped)) return Status::Faulted;
  return done(g, n);
}

constexpr BuiltinRow kRows[] = {
    {"fputwc", fputwc_},
    {"putwc", fputwc_},
    {"putwchar", putwchar_},
    {"fgetwc", fgetwc_},
    {"getwc", fgetwc_},
    {"getwchar", getwchar_},
    {"ungetwc", ungetwc_},
    {"fputws", fputws_},
    {"fgetws", fgetws_},
    {"fwide", fwide_},
    {"wprintf", wprintf_<false>},
    {"vwprintf", wprintf_<true>},
    {"fwprintf", fwprintf_<false>},
    {"vfwprintf", fwprintf_<true>},
    {"swprintf", swprintf_<false>},
    {"vswprintf", swprintf_<true>},
    {"swscanf", swscanf_<false>},
    {"vswscanf", swscanf_<true>},
    {"__isoc99_swscanf", swscanf_<false>},
    {"__isoc99_vswscanf", swscanf_<true>},
    {"__isoc23_swscanf", swscanf_<false>},
    {"__isoc23_vswscanf", swscanf_<true>},
    {"wcstol", wcstol_},
    {"wcstoll", wcstol_},
    {"wcstoul", wcstoul_},
    {"wcstoull", wcstoul_},
    {"__isoc23_wcstol", wcstol_},
    {"__isoc23_wcstoll", wcstol_},
    {"__isoc23_wcstoul", wcstoul_},
    {"__isoc23_wcstoull", wcstoul_},
    {"wcstod", wcstod_},
    {"wcstof", wcstof_},
    {"wcstold", wcstold_},
    {"wcsspn", wcsspn_<true>},
    {"wcscspn", wcsspn_<false>},
    {"wcspbrk", wcspbrk_},
    {"wcsstr", wcsstr_},
    {"wcstok", wcstok_},
    {"wcsncat", wcsncat_},
    {"wcsdup", wcsdup_},
    {"mbrtowc", mbrtowc_},
    {"mbrlen", mbrlen_},
    {"wcrtomb", wcrtomb_},
    {"mbsinit", mbsinit_},
    {"mbsrtowcs", convert<uint8_t, uint32_t, false>},
    {"wcsrtombs", convert<uint32_t, uint8_t, false>},
    {"mbsnrtowcs", convert<uint8_t, uint32_t, true>},
    {"wcsnrtombs", convert<uint32_t, uint8_t, true>},
};

}  // namespace

std::span<const BuiltinRow> wide_stream_rows() { return kRows; }

}  // namespace heddle::machine::models
