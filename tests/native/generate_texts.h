// The fixed parts of the random programs: safe arithmetic, checksums, and the frame of a program with threads.
#pragma once

namespace {

constexpr const char* kThreads = R"(#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#define TL _Thread_local
#define printf(...) note(__VA_ARGS__)
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t shared;
static _Atomic uint64_t counted, joined;
static void note(const char *form, ...);
)";

constexpr const char* kAlone = "#define TL\n";

constexpr const char* kThreadMain = R"(#undef printf
static void note(const char *form, ...) {
  char text[128];
  va_list ap;
  va_start(ap, form);
  vsnprintf(text, sizeof text, form, ap);
  va_end(ap);
  for (char *c = text; *c; c++) mix((uint64_t)*c);
}
static void *thread(void *result) {
  body((int32_t)*(uint64_t *)result);
  *(uint64_t *)result = sum;
  atomic_fetch_add(&joined, 1);
  return result;
}
int main(void) {
  pthread_t t[2];
  uint64_t results[3] = {0, 5, 9};
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, thread, &results[i]);
  thread(&results[2]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  printf("%016" PRIx64 " %016" PRIx64 " %016" PRIx64 "\n", results[0], results[1], results[2]);
  printf("%016" PRIx64 " %016" PRIx64 " %d\n", shared, counted, (int)joined);
  return (int)(shared & 127);
}
)";

constexpr const char* kPrelude = R"(#include <inttypes.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
static TL int fuel = 20000;
static TL uint64_t sum = 1469598103934665603u;
static void mix(uint64_t v) { sum = (sum ^ v) * 1099511628211u; }
#define HELPERS(T, U, tag, MIN)                                                   \
  static T add_##tag(T a, T b) { return (T)((U)a + (U)b); }                       \
  static T sub_##tag(T a, T b) { return (T)((U)a - (U)b); }                       \
  static T mul_##tag(T a, T b) { return (T)((U)((U)1 * a) * (U)((U)1 * b)); }     \
  static T div_##tag(T a, T b) { return b == 0 || (MIN && a == (T)((U)1 << (sizeof(T) * 8 - 1)) && b == (T)-1) ? a : (T)(a / b); } \
  static T mod_##tag(T a, T b) { return b == 0 || (MIN && b == (T)-1) ? a : (T)(a % b); } \
  static T shl_##tag(T a, unsigned n) { return (T)((U)a << n % (sizeof(T) * 8)); } \
  static T shr_##tag(T a, unsigned n) { return (T)(a >> n % (sizeof(T) * 8)); }
HELPERS(int8_t, uint32_t, i8, 0) HELPERS(uint8_t, uint32_t, u8, 0) HELPERS(int16_t, uint32_t, i16, 0) HELPERS(uint16_t, uint32_t, u16, 0)
HELPERS(int32_t, uint32_t, i32, 1) HELPERS(uint32_t, uint32_t, u32, 0) HELPERS(int64_t, uint64_t, i64, 1) HELPERS(uint64_t, uint64_t, u64, 0)
HELPERS(__int128, unsigned __int128, i128, 1) HELPERS(_Bool, uint32_t, b, 0)
static void vary(int n, const char *kinds, ...) {
  va_list ap;
  va_start(ap, kinds);
  while (n-- > 0) {
    double d;
    switch (*kinds++) {
      case 'i': mix((uint64_t)va_arg(ap, int)); break;
      case 'l': mix((uint64_t)va_arg(ap, long)); break;
      case 'd': d = va_arg(ap, double); mix(d > -1e9 && d < 1e9 ? (uint64_t)(int64_t)(d * 100) : 1); break;
    }
  }
  va_end(ap);
}
static int64_t to_int(double d) { return d > -9e18 && d < 9e18 ? (int64_t)d : 0; }
static float narrow(double d) { return d > -3e38 && d < 3e38 ? (float)d : 0; }
static long double tame_long(long double d) { return d > -1e300L && d < 1e300L ? d : 1; }
static double tame(double d) { return d > -1e300 && d < 1e300 ? d : 1; }
)";

}  // namespace
