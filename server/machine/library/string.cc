// string.h and strings.h: copying, lengths, comparing. Searching is in library/search.cc.
#include <cerrno>
#include <cstring>

#include "server/machine/library/format.h"
#include "server/machine/library/support.h"

namespace heddle::machine::models {

std::string error_text(int number) {
  const char* text = strerrordesc_np(number);
  return text != nullptr ? text : "Unknown error " + std::to_string(number);
}

namespace {

// Length of the string at argument n, at most `limit`; reads no byte after the terminator.
bool bounded_length(Guest& g, Pointer text, uint64_t limit, uint64_t& length) {
  std::string bytes;
  if (!g.read_string(text, bytes, limit)) return false;
  length = bytes.size();
  return true;
}

Status memcpy_(Guest& g) {
  if (!g.copy(g.pointer(0), g.pointer(1), g.argument(2), false)) return Status::Faulted;
  return done(g, g.pointer(0));
}

Status memmove_(Guest& g) {
  if (!g.copy(g.pointer(0), g.pointer(1), g.argument(2), true)) return Status::Faulted;
  return done(g, g.pointer(0));
}

Status mempcpy_(Guest& g) {
  if (!g.copy(g.pointer(0), g.pointer(1), g.argument(2), false)) return Status::Faulted;
  return done(g, after(g.pointer(0), g.argument(2)));
}

Status bcopy_(Guest& g) { return done_if(g.copy(g.pointer(1), g.pointer(0), g.argument(2), true)); }

Status memset_(Guest& g) {
  if (!g.fill(g.pointer(0), static_cast<uint8_t>(g.argument(1)), g.argument(2))) return Status::Faulted;
  return done(g, g.pointer(0));
}

Status bzero_(Guest& g) { return done_if(g.fill(g.pointer(0), 0, g.argument(1))); }

// Has only one side a byte here that was never written? Then the result depends on it; where both have one, it may be
// the padding of copies of one structure.
bool is_decided(Guest& g, uint64_t at) {
  uint8_t byte;
  const Pointer left = after(g.pointer(0), at), right = after(g.pointer(1), at);
  const bool left_written = g.is_written(left, 1);
  return left_written == g.is_written(right, 1) || load(g, left_written ? right : left, byte);
}

Status memcmp_(Guest& g) {
  const uint64_t size = g.argument(2);
  uint8_t left[256], right[256];
  int32_t order = 0;
  for (uint64_t at = 0; at < size;) {  // the whole range must be accessible, also after the first difference
    const uint32_t part = static_cast<uint32_t>(std::min<uint64_t>(size - at, sizeof left));
    if (!g.read(after(g.pointer(0), at), left, part) || !g.read(after(g.pointer(1), at), right, part)) {
      return Status::Faulted;
    }
    const bool written = g.is_written(after(g.pointer(0), at), part) && g.is_written(after(g.pointer(1), at), part);
    for (uint32_t i = 0; i < part && order == 0; i++) {
      if (!written && !is_decided(g, at + i)) return Status::Faulted;
      order = left[i] - right[i];
    }
    at += part;
  }
  return done_int(g, order);
}

Status memccpy_(Guest& g) {
  const uint8_t stop = static_cast<uint8_t>(g.argument(2));
  bool found = false;
  uint64_t size = 0;
  while (size < g.argument(3) && !found) {
    uint8_t byte;
    if (!load(g, after(g.pointer(1), size), byte)) return Status::Faulted;
    found = byte == stop;
    ++size;
  }
  if (!g.copy(g.pointer(0), g.pointer(1), size, false)) return Status::Faulted;
  return done(g, found ? after(g.pointer(0), size) : Pointer{});
}

Status strlen_(Guest& g) {
  uint64_t length;
  if (!g.string_length(g.pointer(0), length)) return Status::Faulted;
  return done(g, length);
}

Status strnlen_(Guest& g) {
  uint64_t length;
  if (!bounded_length(g, g.pointer(0), g.argument(1), length)) return Status::Faulted;
  return done(g, length);
}

// Copies the string at argument 1 to the end of `to`; `length` is what was copied without the terminator.
bool copy_string(Guest& g, Pointer to, uint64_t& length) {
  return g.string_length(g.pointer(1), length) && g.copy(to, g.pointer(1), length + 1, false);
}

Status strcpy_(Guest& g) {
  uint64_t length;
  if (!copy_string(g, g.pointer(0), length)) return Status::Faulted;
  return done(g, g.pointer(0));
}

Status stpcpy_(Guest& g) {
  uint64_t length;
  if (!copy_string(g, g.pointer(0), length)) return Status::Faulted;
  return done(g, after(g.pointer(0), length));
}

Status copy_bounded(Guest& g, bool return_end) {
  const uint64_t limit = g.argument(2);
  uint64_t length;
  if (!bounded_length(g, g.pointer(1), limit, length)) return Status::Faulted;
  if (!g.copy(g.pointer(0), g.pointer(1), length, false)) return Status::Faulted;
  if (!g.fill(after(g.pointer(0), length), 0, limit - length)) return Status::Faulted;
  return done(g, return_end ? after(g.pointer(0), length) : g.pointer(0));
}
Status strncpy_(Guest& g) { return copy_bounded(g, false); }
Status stpncpy_(Guest& g) { return copy_bounded(g, true); }

Status strcat_(Guest& g) {
  uint64_t have, length;
  if (!g.string_length(g.pointer(0), have) || !copy_string(g, after(g.pointer(0), have), length))
    return Status::Faulted;
  return done(g, g.pointer(0));
}

Status strncat_(Guest& g) {
  uint64_t have, length;
  if (!g.string_length(g.pointer(0), have)) return Status::Faulted;
  if (!bounded_length(g, g.pointer(1), g.argument(2), length)) return Status::Faulted;
  const Pointer to = after(g.pointer(0), have);
  const bool whole = length < g.argument(2);  // the terminator was read, too
  if (!keeps_apart(g, {to, length + 1}, {{g.pointer(1), length + whole}})) return Status::Faulted;
  if (!g.copy(to, g.pointer(1), length, false) || !g.fill(after(to, length), 0, 1)) return Status::Faulted;
  return done(g, g.pointer(0));
}

Status strlcpy_(Guest& g) {
  uint64_t length;
  const uint64_t size = g.argument(2);
  if (!g.string_length(g.pointer(1), length)) return Status::Faulted;
  if (size > 0) {
    const uint64_t part = std::min(length, size - 1);
    if (!g.copy(g.pointer(0), g.pointer(1), part, false)) return Status::Faulted;
    if (!g.fill(after(g.pointer(0), part), 0, 1)) return Status::Faulted;
  }
  return done(g, length);
}

Status strlcat_(Guest& g) {
  uint64_t have, length;
  const uint64_t size = g.argument(2);
  if (!bounded_length(g, g.pointer(0), size, have) || !g.string_length(g.pointer(1), length)) return Status::Faulted;
  if (have < size) {
    const uint64_t part = std::min(length, size - have - 1);
    const Pointer to = after(g.pointer(0), have);
    if (!g.copy(to, g.pointer(1), part, false) || !g.fill(after(to, part), 0, 1)) return Status::Faulted;
  }
  return done(g, have + length);
}

// Byte by byte: nothing after the first difference is touched.
Status compare(Guest& g, uint64_t limit, int (*fold)(int)) {
  for (uint64_t i = 0; i < limit; i++) {
    uint8_t left, right;
    if (!load(g, after(g.pointer(0), i), left) || !load(g, after(g.pointer(1), i), right)) return Status::Faulted;
    const int difference = fold == nullptr ? left - right : fold(left) - fold(right);
    if (difference != 0 || left == 0) return done_int(g, difference);
  }
  return done_int(g, 0);
}
Status strcmp_(Guest& g) { return compare(g, ~uint64_t{0}, nullptr); }
Status strncmp_(Guest& g) { return compare(g, g.argument(2), nullptr); }
Status strcasecmp_(Guest& g) { return compare(g, ~uint64_t{0}, to_lower); }
Status strncasecmp_(Guest& g) { return compare(g, g.argument(2), to_lower); }

Status strverscmp_(Guest& g) {
  std::string left, right;
  if (!g.read_string(g.pointer(0), left) || !g.read_string(g.pointer(1), right)) return Status::Faulted;
  return done_int(g, ::strverscmp(left.c_str(), right.c_str()));
}

Status strxfrm_(Guest& g) {  // C locale: a copy
  uint64_t length;
  if (!g.string_length(g.pointer(1), length)) return Status::Faulted;
  if (length < g.argument(2) && !g.copy(g.pointer(0), g.pointer(1), length + 1, false)) return Status::Faulted;
  return done(g, length);
}

Status duplicate(Guest& g, uint64_t length) {
  const Pointer block = g.allocate(length + 1, 16, false);
  if (block.bits == 0) return failed_null(g, ENOMEM);
  if (!g.copy(block, g.pointer(0), length, false) || !g.fill(after(block, length), 0, 1)) return Status::Faulted;
  return done(g, block);
}

Status strdup_(Guest& g) {
  uint64_t length;
  return g.string_length(g.pointer(0), length) ? duplicate(g, length) : Status::Faulted;
}

Status strndup_(Guest& g) {
  uint64_t length;
  return bounded_length(g, g.pointer(0), g.argument(1), length) ? duplicate(g, length) : Status::Faulted;
}

// What is no constant lies in one place for each thread.
Status give_text(Guest& g, const char* constant, const std::string& text, std::string_view place) {
  if (constant != nullptr) return done(g, g.constant_string(constant));
  const Pointer at = g.thread_object(place, 64);
  return g.write_string(at, text) ? done(g, at) : Status::Faulted;
}

Status strerror_(Guest& g) {
  const int32_t number = g.int_argument(0);
  return give_text(g, strerrordesc_np(number), error_text(number), "the text of strerror");
}

Status strerror_gnu(Guest& g) { return done(g, g.constant_string(error_text(g.int_argument(0)))); }

Status strerror_posix(Guest& g) {
  const std::string text = error_text(g.int_argument(0));
  if (text.size() + 1 > g.argument(2)) return done_int(g, ERANGE);
  if (!g.write_string(g.pointer(1), text)) return Status::Faulted;
  return done_int(g, text.starts_with("Unknown error") ? EINVAL : 0);
}

Status strsignal_(Guest& g) {
  const int32_t number = g.int_argument(0);
  return give_text(g, sigdescr_np(number), "Unknown signal " + std::to_string(number), "the text of strsignal");
}

Status ffs_(Guest& g) { return done_int(g, __builtin_ffs(g.int_argument(0))); }
Status ffsl_(Guest& g) { return done_int(g, __builtin_ffsll(static_cast<int64_t>(g.argument(0)))); }

Status swab_(Guest& g) {
  const int64_t size = static_cast<int64_t>(g.argument(2));
  for (int64_t i = 0; i + 1 < size; i += 2) {
    uint8_t pair[2];
    if (!load(g, after(g.pointer(0), i), pair)) return Status::Faulted;
    std::swap(pair[0], pair[1]);
    if (!store(g, after(g.pointer(1), i), pair)) return Status::Faulted;
  }
  return Status::Done;
}

constexpr BuiltinRow kRows[] = {
    {"memcpy", memcpy_},
    {"memmove", memmove_},
    {"mempcpy", mempcpy_},
    {"__mempcpy", mempcpy_},
    {"bcopy", bcopy_},
    {"memset", memset_},
    {"explicit_memset", memset_},
    {"bzero", bzero_},
    {"explicit_bzero", bzero_},
    {"memcmp", memcmp_},
    {"bcmp", memcmp_},
    {"__memcmpeq", memcmp_},
    {"memccpy", memccpy_},
    {"strlen", strlen_},
    {"strnlen", strnlen_},
    {"strcpy", strcpy_},
    {"stpcpy", stpcpy_},
    {"__stpcpy", stpcpy_},
    {"strncpy", strncpy_},
    {"stpncpy", stpncpy_},
    {"strcat", strcat_},
    {"strncat", strncat_},
    {"strlcpy", strlcpy_},
    {"strlcat", strlcat_},
    {"strcmp", strcmp_},
    {"strcoll", strcmp_},
    {"strncmp", strncmp_},
    {"strcasecmp", strcasecmp_},
    {"strncasecmp", strncasecmp_},
    {"strverscmp", strverscmp_},
    {"strxfrm", strxfrm_},
    {"strdup", strdup_},
    {"__strdup", strdup_},
    {"strndup", strndup_},
    {"__strndup", strndup_},
    {"strerror", strerror_},
    {"strerror_r", strerror_gnu},
    {"__xpg_strerror_r", strerror_posix},
    {"strsignal", strsignal_},
    {"ffs", ffs_},
    {"ffsl", ffsl_},
    {"ffsll", ffsl_},
    {"swab", swab_},
};

}  // namespace

}  // namespace heddle::machine::models

namespace heddle::machine {

std::span<const BuiltinRow> string_builtins() {
  static const models::Rows rows = models::join({models::kRows, models::search_rows(), models::wide_rows()});
  return rows;
}

}  // namespace heddle::machine
