// string.h: searching and splitting; patterns of file names.
#include <fnmatch.h>

#include <cstring>

#include "server/machine/library/support.h"

namespace heddle::machine::models {
namespace {

// Bytes one by one: a search stops at its match and does not touch what follows.
Status memchr_(Guest& g) {
  const uint8_t wanted = static_cast<uint8_t>(g.argument(1));
  for (uint64_t i = 0; i < g.argument(2); i++) {
    uint8_t byte;
    if (!load(g, after(g.pointer(0), i), byte)) return Status::Faulted;
    if (byte == wanted) return done(g, after(g.pointer(0), i));
  }
  return done(g, uint64_t{0});
}

Status rawmemchr_(Guest& g) {
  const uint8_t wanted = static_cast<uint8_t>(g.argument(1));
  for (uint64_t i = 0;; i++) {
    uint8_t byte;
    if (!load(g, after(g.pointer(0), i), byte)) return Status::Faulted;
    if (byte == wanted) return done(g, after(g.pointer(0), i));
  }
}

Status memrchr_(Guest& g) {
  const uint8_t wanted = static_cast<uint8_t>(g.argument(1));
  for (uint64_t i = g.argument(2); i-- > 0;) {
    uint8_t byte;
    if (!load(g, after(g.pointer(0), i), byte)) return Status::Faulted;
    if (byte == wanted) return done(g, after(g.pointer(0), i));
  }
  return done(g, uint64_t{0});
}

Status find_first(Guest& g, bool end_if_missing) {
  const uint8_t wanted = static_cast<uint8_t>(g.argument(1));
  for (uint64_t i = 0;; i++) {
    uint8_t byte;
    if (!load(g, after(g.pointer(0), i), byte)) return Status::Faulted;
    if (byte == wanted) return done(g, after(g.pointer(0), i));
    if (byte == 0) return done(g, end_if_missing ? after(g.pointer(0), i) : Pointer{});
  }
}
Status strchr_(Guest& g) { return find_first(g, false); }
Status strchrnul_(Guest& g) { return find_first(g, true); }

Status strrchr_(Guest& g) {
  std::string text;
  if (!g.read_string(g.pointer(0), text)) return Status::Faulted;
  const char wanted = static_cast<char>(g.argument(1));
  const size_t at = wanted == 0 ? text.size() : text.rfind(wanted);
  return done(g, at == std::string::npos ? Pointer{} : after(g.pointer(0), at));
}

bool read_bytes(Guest& g, Pointer from, uint64_t size, std::string& bytes) {
  bytes.clear();
  char part[4096];
  while (size > 0) {  // grows with what is really there: a wild size faults before the host runs out of memory
    const uint32_t n = static_cast<uint32_t>(std::min<uint64_t>(size, sizeof part));
    if (!g.read(after(from, bytes.size()), part, n)) return false;
    bytes.append(part, n);
    size -= n;
  }
  return true;
}

Status memmem_(Guest& g) {
  std::string text, wanted;
  if (!read_bytes(g, g.pointer(0), g.argument(1), text)) return Status::Faulted;
  if (!read_bytes(g, g.pointer(2), g.argument(3), wanted)) return Status::Faulted;
  const size_t at = text.find(wanted);
  return done(g, at == std::string::npos ? Pointer{} : after(g.pointer(0), at));
}

Status find_text(Guest& g, bool fold) {
  std::string text, wanted;
  if (!g.read_string(g.pointer(0), text) || !g.read_string(g.pointer(1), wanted)) return Status::Faulted;
  if (fold) {
    for (char& c : text) c = static_cast<char>(to_lower(static_cast<uint8_t>(c)));
    for (char& c : wanted) c = static_cast<char>(to_lower(static_cast<uint8_t>(c)));
  }
  const size_t at = text.find(wanted);
  return done(g, at == std::string::npos ? Pointer{} : after(g.pointer(0), at));
}
Status strstr_(Guest& g) { return find_text(g, false); }
Status strcasestr_(Guest& g) { return find_text(g, true); }

struct ByteSet {
  bool member[256] = {};
};

bool read_set(Guest& g, Pointer text, ByteSet& set) {
  std::string bytes;
  if (!g.read_string(text, bytes)) return false;
  for (char c : bytes) set.member[static_cast<uint8_t>(c)] = true;
  return true;
}

// Length of the start of the string at `text` whose bytes are (not) in the set; `last` is the byte that ended it.
bool span(Guest& g, Pointer text, const ByteSet& set, bool inside, uint64_t& length, uint8_t& last) {
  for (length = 0;; length++) {
    if (!load(g, after(text, length), last)) return false;
    if (last == 0 || set.member[last] != inside) return true;
  }
}

Status span_of(Guest& g, bool inside) {
  ByteSet set;
  uint64_t length;
  uint8_t last;
  if (!read_set(g, g.pointer(1), set) || !span(g, g.pointer(0), set, inside, length, last)) return Status::Faulted;
  return done(g, length);
}
Status strspn_(Guest& g) { return span_of(g, true); }
Status strcspn_(Guest& g) { return span_of(g, false); }

Status strpbrk_(Guest& g) {
  ByteSet set;
  uint64_t length;
  uint8_t last;
  if (!read_set(g, g.pointer(1), set) || !span(g, g.pointer(0), set, false, length, last)) return Status::Faulted;
  return done(g, last == 0 ? Pointer{} : after(g.pointer(0), length));
}

Status tokenise(Guest& g, Pointer save) {
  Pointer text = g.pointer(0);
  if (text.bits == 0 && !load(g, save, text.bits)) return Status::Faulted;
  if (text.bits == 0) return done(g, uint64_t{0});  // strtok(NULL) before any text, as glibc
  ByteSet set;
  uint64_t length;
  uint8_t last;
  if (!read_set(g, g.pointer(1), set) || !span(g, text, set, true, length, last)) return Status::Faulted;
  const Pointer token = after(text, length);
  if (last == 0) {
    if (!store(g, save, token.bits)) return Status::Faulted;
    return done(g, uint64_t{0});
  }
  if (!span(g, token, set, false, length, last)) return Status::Faulted;
  Pointer rest = after(token, length);
  if (last != 0) {
    if (!g.fill(rest, 0, 1)) return Status::Faulted;
    rest = after(rest, 1);
  }
  if (!store(g, save, rest.bits)) return Status::Faulted;
  return done(g, token);
}
Status strtok_(Guest& g) { return tokenise(g, g.process_object("heddle.strtok", 8)); }
Status strtok_r_(Guest& g) { return tokenise(g, g.pointer(2)); }

Status strsep_(Guest& g) {
  Pointer text;
  if (!load(g, g.pointer(0), text.bits)) return Status::Faulted;
  if (text.bits == 0) return done(g, uint64_t{0});
  ByteSet set;
  uint64_t length;
  uint8_t last;
  if (!read_set(g, g.pointer(1), set) || !span(g, text, set, false, length, last)) return Status::Faulted;
  const Pointer end = after(text, length);
  if (last != 0 && !g.fill(end, 0, 1)) return Status::Faulted;
  if (!store(g, g.pointer(0), last != 0 ? after(end, 1).bits : uint64_t{0})) return Status::Faulted;
  return done(g, text);
}

Status basename_gnu(Guest& g) {
  std::string text;
  if (!g.read_string(g.pointer(0), text)) return Status::Faulted;
  const size_t at = text.rfind('/');
  return done(g, after(g.pointer(0), at == std::string::npos ? 0 : at + 1));
}

Status basename_posix(Guest& g) {
  std::string text;
  if (g.pointer(0).bits == 0) return done(g, g.constant_string("."));
  if (!g.read_string(g.pointer(0), text)) return Status::Faulted;
  if (text.empty()) return done(g, g.constant_string("."));
  size_t end = text.size();
  while (end > 1 && text[end - 1] == '/') end--;
  if (end < text.size() && !g.fill(after(g.pointer(0), end), 0, 1)) return Status::Faulted;
  if (end == 1) return done(g, g.pointer(0));
  const size_t at = text.rfind('/', end - 1);
  return done(g, after(g.pointer(0), at == std::string::npos ? 0 : at + 1));
}

Status dirname_(Guest& g) {
  std::string text;
  if (g.pointer(0).bits == 0) return done(g, g.constant_string("."));
  if (!g.read_string(g.pointer(0), text)) return Status::Faulted;
  size_t end = text.size();
  while (end > 1 && text[end - 1] == '/') end--;
  while (end > 0 && text[end - 1] != '/') end--;
  if (end == 0) return done(g, g.constant_string("."));
  while (end > 1 && text[end - 1] == '/') end--;
  if (!g.fill(after(g.pointer(0), end), 0, 1)) return Status::Faulted;
  return done(g, g.pointer(0));
}

// fnmatch.h, in the "C" locale.
Status fnmatch_(Guest& g) {
  std::string pattern, text;
  if (!g.read_string(g.pointer(0), pattern) || !g.read_string(g.pointer(1), text)) return Status::Faulted;
  const int result = fnmatch(pattern.c_str(), text.c_str(), static_cast<int>(g.argument(2)));
  return done(g, static_cast<uint64_t>(static_cast<uint32_t>(result)));
}

constexpr BuiltinRow kRows[] = {
    {"memchr", memchr_},   {"rawmemchr", rawmemchr_},  {"__rawmemchr", rawmemchr_},
    {"memrchr", memrchr_}, {"memmem", memmem_},        {"strchr", strchr_},
    {"index", strchr_},    {"strchrnul", strchrnul_},  {"strrchr", strrchr_},
    {"rindex", strrchr_},  {"strstr", strstr_},        {"strcasestr", strcasestr_},
    {"strspn", strspn_},   {"strcspn", strcspn_},      {"strpbrk", strpbrk_},
    {"strtok", strtok_},   {"strtok_r", strtok_r_},    {"__strtok_r", strtok_r_},
    {"strsep", strsep_},   {"basename", basename_gnu}, {"__xpg_basename", basename_posix},
    {"dirname", dirname_}, {"fnmatch", fnmatch_},
};

}  // namespace

std::span<const BuiltinRow> search_rows() { return kRows; }

}  // namespace heddle::machine::models
