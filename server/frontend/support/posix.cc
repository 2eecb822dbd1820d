// Functions of the C library that keep something for the whole process: written out, so that threads which call them at
// the same time race as they do there. The machine models what they do (strtok_r, gmtime_r ...). And some that are made
// of others.
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include <arpa/inet.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>
#include <cstdarg>

static char* strtok_position;
static struct tm broken_down_time;
static char time_text[128];
static char a64_text[8];
static char ecvt_text[32], fcvt_text[400];
static thread_local char inet_text[18];  // as in the C library

namespace {

constexpr char kDigits64[] = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

// Of an iovec; -1 if there is none.
ssize_t size_of(const iovec* parts, int count) {
  size_t size = 0;
  bool fits = count >= 0 && count <= IOV_MAX;
  for (int n = 0; fits && n < count; ++n)
    fits = !__builtin_add_overflow(size, parts[n].iov_len, &size) && size <= SSIZE_MAX;
  if (fits) return static_cast<ssize_t>(size);
  errno = EINVAL;
  return -1;
}

// A number of at most `most` at `at`, which moves past it; -1 if there is none.
int read_number(const char*& at, int base, int digits_most, int most) {
  int value = 0, digits = 0;
  for (; digits < digits_most; ++at, ++digits) {
    const char c = *at, letter = static_cast<char>(c | 32);
    const int digit = c >= '0' && c <= '9' ? c - '0' : letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : base;
    if (digit >= base) break;
    if (base == 10 && digits > 0 && value == 0) return -1;  // 01
    value = value * base + digit;
  }
  return digits == 0 || value > most ? -1 : value;
}

// "127.0.0.1": four bytes, and where it ends.
const char* read_ipv4(const char* at, unsigned char* to) {
  for (int n = 0; n < 4; ++n) {
    if (n > 0 && *at++ != '.') return nullptr;
    const int value = read_number(at, 10, 3, 255);
    if (value < 0) return nullptr;
    to[n] = static_cast<unsigned char>(value);
  }
  return at;
}

// "fe80::1", "::ffff:1.2.3.4"
bool read_ipv6(const char* at, unsigned char* to) {
  unsigned char bytes[16] = {};
  int count = 0, gap = -1;
  if (*at == ':' && *++at != ':') return false;
  for (bool first = *at != ':'; *at != '\0' || count == 0; first = false) {
    if (!first) {
      if (*at++ != ':') return false;
      if (gap < 0 && (count == 0 || *at == ':')) {
        if (count > 0) ++at;
        gap = count;
        if (*at == '\0') break;
      }
    }
    const char* const begin = at;
    const int value = read_number(at, 16, 4, 0xffff);
    if (value < 0 || count > 14) return false;
    if (*at == '.') {
      if (count > 12) return false;
      at = read_ipv4(begin, bytes + count);
      count += 4;
      if (at == nullptr || *at != '\0') return false;
      break;
    }
    bytes[count++] = static_cast<unsigned char>(value >> 8);
    bytes[count++] = static_cast<unsigned char>(value);
  }
  if (gap < 0 ? count != 16 : count == 16) return false;
  memset(to, 0, 16);
  if (gap < 0) gap = 16;
  memcpy(to, bytes, static_cast<size_t>(gap < count ? gap : count));
  if (gap < count) memcpy(to + 16 - (count - gap), bytes + gap, static_cast<size_t>(count - gap));
  return true;
}

int write_ipv4(char* to, const unsigned char* from) {
  return sprintf(to, "%d.%d.%d.%d", from[0], from[1], from[2], from[3]);
}

// The longest row of two zero words or more is left out.
void write_ipv6(char* to, const unsigned char* from) {
  const auto word = [from](int n) { return from[2 * n] << 8 | from[2 * n + 1]; };
  int gap = -1, gap_size = 1;
  for (int n = 0; n < 8; ++n) {
    int size = 0;
    while (n + size < 8 && word(n + size) == 0) ++size;
    if (size <= gap_size) continue;
    gap = n;
    gap_size = size;
  }
  const bool mapped = gap == 0 && (gap_size == 6 || (gap_size == 5 && word(5) == 0xffff));
  for (int n = 0; n < 8; ++n) {
    if (n == gap) {
      *to++ = ':';
      n += gap_size - 1;
      if (n == 7) *to++ = ':';
      continue;
    }
    if (n > 0) *to++ = ':';
    if (mapped && n == 6) {
      to += write_ipv4(to, from + 12);
      break;
    }
    to += sprintf(to, "%x", static_cast<unsigned>(word(n)));
  }
  *to = '\0';
}

}  // namespace

extern "C" {

// Never defined: a call ends the path, and the verdict says so.
int open_in(int folder, const char* name) __asm__("openat in an open directory");
int unlink_in(int folder, const char* name) __asm__("unlinkat in an open directory");

int openat(int folder, const char* name, int flags, ...) {
  va_list values;
  va_start(values, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(values, mode_t) : 0;
  va_end(values);
  if (folder != AT_FDCWD && *name != '/') return open_in(folder, name);
  return open(name, flags, mode);
}
int unlinkat(int folder, const char* name, int flags) {
  if (folder != AT_FDCWD && *name != '/') return unlink_in(folder, name);
  return flags & AT_REMOVEDIR ? rmdir(name) : unlink(name);
}

// Digits without a point, and where it belongs.
char* ecvt(double value, int digits, int* point, int* negative) {
  constexpr int kMost = 17;
  *negative = __builtin_signbit(value) != 0 && __builtin_isfinite(value);
  if (!__builtin_isfinite(value)) {
    *point = 0;
    sprintf(ecvt_text, "%f", value);
    return ecvt_text;
  }
  const int wanted = digits > kMost ? kMost : digits;
  char text[40];
  sprintf(text, "%.*e", wanted > 0 ? wanted - 1 : 0, __builtin_fabs(value));
  char* const exponent = strchr(text, 'e');
  *point = wanted > 0 ? atoi(exponent + 1) + 1 : 1;
  char* to = ecvt_text;
  for (const char* from = text; wanted > 0 && from < exponent; ++from)
    if (*from != '.') *to++ = *from;
  *to = '\0';
  return ecvt_text;
}
char* fcvt(double value, int digits, int* point, int* negative) {
  constexpr int kMost = 17;
  *negative = __builtin_signbit(value) != 0 && __builtin_isfinite(value);
  *point = 0;
  char text[400];
  sprintf(text, "%.*f", digits > kMost ? kMost : digits < 0 ? 0 : digits, __builtin_fabs(value));
  if (!__builtin_isfinite(value)) return strcpy(fcvt_text, text);
  const char* from = text;
  char* to = fcvt_text;
  if (*from == '0' && value != 0) {
    ++from;
    if (*from == '.')
      for (++from; *from == '0'; ++from) --*point;
  } else {
    while (*from >= '0' && *from <= '9') *to++ = *from++;
    *point = static_cast<int>(to - fcvt_text);
  }
  for (; *from != '\0'; ++from)
    if (*from != '.') *to++ = *from;
  *to = '\0';
  return fcvt_text;
}
char* gcvt(double value, int digits, char* to) {
  sprintf(to, "%.*g", digits > 17 ? 17 : digits, value);
  return to;
}

char* inet_ntoa(in_addr address) {
  return const_cast<char*>(inet_ntop(AF_INET, &address, inet_text, sizeof inet_text));
}

char* strtok(char* text, const char* separators) { return strtok_r(text, separators, &strtok_position); }

tm* gmtime(const time_t* time) { return gmtime_r(time, &broken_down_time); }
tm* localtime(const time_t* time) { return localtime_r(time, &broken_down_time); }
char* asctime(const tm* time) { return asctime_r(time, time_text); }
char* ctime(const time_t* time) { return asctime(localtime(time)); }

long a64l(const char* text) {
  uint32_t value = 0;
  for (int n = 0; n < 6 && text[n] != '\0'; ++n) {
    const char* const digit = strchr(kDigits64, text[n]);
    if (digit == nullptr) break;
    value |= static_cast<uint32_t>(digit - kDigits64) << 6 * n;
  }
  return static_cast<int32_t>(value);
}
char* l64a(long number) {
  uint32_t value = static_cast<uint32_t>(number);
  int n = 0;
  for (; value != 0; value >>= 6) a64_text[n++] = kDigits64[value & 63];
  a64_text[n] = '\0';
  return a64_text;
}

int getsubopt(char** options, char* const* names, char** value) {
  *value = nullptr;
  if (**options == '\0') return -1;
  char* const begin = *options;
  char* const end = strchrnul(begin, ',');
  char* const sign = static_cast<char*>(memchr(begin, '=', static_cast<size_t>(end - begin)));
  const size_t length = static_cast<size_t>((sign ? sign : end) - begin);
  *options = *end == '\0' ? end : end + 1;
  *end = '\0';
  for (int n = 0; names[n] != nullptr; ++n) {
    if (strlen(names[n]) != length || memcmp(names[n], begin, length) != 0) continue;
    *value = sign ? sign + 1 : nullptr;
    return n;
  }
  *value = begin;
  return -1;
}

char* mkdtemp(char* name) {
  const size_t length = strlen(name);
  if (length < 6 || strcmp(name + length - 6, "XXXXXX") != 0) {
    errno = EINVAL;
    return nullptr;
  }
  for (int n = 0; n < 1000000; ++n) {
    sprintf(name + length - 6, "%06d", n);
    if (mkdir(name, 0700) == 0) return name;
    if (errno != EEXIST) break;
  }
  return nullptr;
}

// One operation each: what is written comes in one piece.
ssize_t writev(int descriptor, const iovec* parts, int count) {
  const ssize_t size = size_of(parts, count);
  if (size < 0) return -1;
  char* const all = static_cast<char*>(malloc(static_cast<size_t>(size) + 1));
  if (all == nullptr) return -1;
  char* to = all;
  for (int n = 0; n < count; to += parts[n++].iov_len) memcpy(to, parts[n].iov_base, parts[n].iov_len);
  const ssize_t written = write(descriptor, all, static_cast<size_t>(size));
  free(all);
  return written;
}
ssize_t readv(int descriptor, const iovec* parts, int count) {
  const ssize_t size = size_of(parts, count);
  if (size < 0) return -1;
  char* const all = static_cast<char*>(malloc(static_cast<size_t>(size) + 1));
  if (all == nullptr) return -1;
  const ssize_t got = read(descriptor, all, static_cast<size_t>(size));
  size_t left = got < 0 ? 0 : static_cast<size_t>(got);
  const char* from = all;
  for (int n = 0; left > 0; ++n) {
    const size_t part = left < parts[n].iov_len ? left : parts[n].iov_len;
    memcpy(parts[n].iov_base, from, part);
    from += part;
    left -= part;
  }
  free(all);
  return got;
}

int inet_pton(int family, const char* text, void* to) {
  unsigned char bytes[4];
  if (family == AF_INET6) return read_ipv6(text, static_cast<unsigned char*>(to));
  if (family != AF_INET) {
    errno = EAFNOSUPPORT;
    return -1;
  }
  const char* const end = read_ipv4(text, bytes);
  if (end == nullptr || *end != '\0') return 0;
  memcpy(to, bytes, 4);
  return 1;
}
const char* inet_ntop(int family, const void* from, char* to, socklen_t size) {
  char text[INET6_ADDRSTRLEN];
  const unsigned char* const bytes = static_cast<const unsigned char*>(from);
  if (family != AF_INET && family != AF_INET6) {
    errno = EAFNOSUPPORT;
    return nullptr;
  }
  if (family == AF_INET)
    write_ipv4(text, bytes);
  else
    write_ipv6(text, bytes);
  if (strlen(text) < size) return strcpy(to, text);
  errno = ENOSPC;
  return nullptr;
}

}  // extern "C"
