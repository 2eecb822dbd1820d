/* Run natively and by the evaluator; both must give the same numbers. No library calls, nothing undefined. */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define TEST(name) uint64_t name(void)

static uint64_t mix(uint64_t sum, uint64_t value) { return (sum ^ value) * 0x9e3779b97f4a7c15u + (sum >> 7); }
static uint64_t bits_of(double d) { union { double d; uint64_t u; } x = {d}; return x.u; }
static uint64_t bits_of_float(float d) { union { float d; uint32_t u; } x = {d}; return x.u; }
static uint64_t bits_of_long(long double d) { union { long double d; uint64_t u[2]; } x = {0}; x.d = d; return x.u[0] ^ (x.u[1] & 0xffff); }

static const int64_t samples[] = {0, 1, -1, 2, 7, -7, 100, 127, 128, 255, 256, -128, -129, 32767, 32768, 65535, 65536, 2147483647,
                                  -2147483647 - 1, 4294967295, 4294967296, 9223372036854775807, -9223372036854775807 - 1};
enum { kSamples = sizeof samples / sizeof samples[0] };

#define WIDTH(T, U, N)                                                                             \
  static uint64_t width_##N(void) {                                                                \
    uint64_t sum = 1;                                                                              \
    for (int i = 0; i < kSamples; i++)                                                             \
      for (int j = 0; j < kSamples; j++) {                                                         \
        T a = (T)samples[i], b = (T)samples[j];                                                    \
        U ua = (U)a, ub = (U)b;                                                                    \
        sum = mix(sum, (uint64_t)(U)(ua + ub)); sum = mix(sum, (uint64_t)(U)(ua - ub));            \
        sum = mix(sum, (uint64_t)(U)((uint64_t)ua * ub)); sum = mix(sum, ua & ub); sum = mix(sum, ua | ub); \
        sum = mix(sum, ua ^ ub); sum = mix(sum, (uint64_t)(T)~a);                                  \
        if (b != 0) { sum = mix(sum, ua / ub); sum = mix(sum, ua % ub); }                          \
        if (b != 0 && b != -1) { sum = mix(sum, (uint64_t)(a / b)); sum = mix(sum, (uint64_t)(a % b)); } \
        int s = j % (int)(8 * sizeof(T));                                                          \
        sum = mix(sum, (uint64_t)(U)((uint64_t)ua << s)); sum = mix(sum, ua >> s); sum = mix(sum, (uint64_t)(a >> s)); \
        sum = mix(sum, (uint64_t)((a < b) | (a <= b) << 1 | (ua < ub) << 2 | (ua >= ub) << 3 | (a == b) << 4 | (a > b) << 5)); \
        sum = mix(sum, (uint64_t)(int8_t)a); sum = mix(sum, (uint64_t)(uint16_t)a); sum = mix(sum, (uint64_t)(int32_t)b); \
      }                                                                                            \
    return sum;                                                                                    \
  }
WIDTH(int8_t, uint8_t, 8)
WIDTH(int16_t, uint16_t, 16)
WIDTH(int32_t, uint32_t, 32)
WIDTH(int64_t, uint64_t, 64)
TEST(test_integers) { return mix(mix(mix(width_8(), width_16()), width_32()), width_64()); }

TEST(test_wide) {
  uint64_t sum = 1;
  for (int i = 0; i < kSamples; i++)
    for (int j = 0; j < kSamples; j++) {
      __int128 a = ((__int128)samples[i] << 32) + samples[j], b = (__int128)samples[j] * 3 + samples[i];
      unsigned __int128 u = (unsigned __int128)a * (unsigned __int128)b;
      sum = mix(mix(sum, (uint64_t)u), (uint64_t)(u >> 64));
      if (b != 0 && b != -1) { __int128 q = a / b, r = a % b; sum = mix(mix(sum, (uint64_t)q), (uint64_t)(r >> 3)); }
      sum = mix(sum, (uint64_t)((a < b) | (a == b) << 1 | ((unsigned __int128)a > (unsigned __int128)b) << 2));
      sum = mix(sum, (uint64_t)(a >> (j + 50)) ^ (uint64_t)(a << j) ^ (uint64_t)(-a) ^ (uint64_t)((a & b) | (a ^ b)));
      sum = mix(sum, bits_of((double)a)); 
      _Bool c = a; sum += c;
    }
  return sum;
}

TEST(test_odd_widths) {
  uint64_t sum = 1;
  struct { unsigned a : 3, b : 13; signed d : 7; unsigned long e : 37; signed f : 1; _Bool g : 1; } s = {0};
  struct __attribute__((packed)) { unsigned a : 20; unsigned b : 4; char z; long w : 47; short q; } p = {0};
  for (int i = 0; i < kSamples; i++) {
    s.a = (unsigned)samples[i]; s.b += (unsigned)samples[i] & 0xfff; s.d = (int)(samples[i] & 63) - 32; s.e ^= (uint64_t)samples[i]; s.f = samples[i] & 1 ? -1 : 0; s.g = samples[i];
    p.a = (unsigned)samples[i] >> 3; p.b++; p.z = (char)i; p.w = samples[i] >> 20; p.q = (short)samples[i];
    sum = mix(sum, s.a + s.b * 3u); sum = mix(sum, (uint64_t)(s.d * 5)); sum = mix(sum, s.e); sum = mix(sum, (uint64_t)(s.f + s.g));
    sum = mix(sum, p.a); sum = mix(sum, p.b); sum = mix(sum, (uint64_t)p.z); sum = mix(sum, (uint64_t)p.w); sum = mix(sum, (uint64_t)p.q);
  }
  return sum;
}

static double dsamples[] = {0.0, -0.0, 1.0, -1.5, 3.25, 1e10, -1e-10, 123456.789, 0.1};
TEST(test_floats) {
  uint64_t sum = 1;
  for (unsigned i = 0; i < 9; i++)
    for (unsigned j = 0; j < 9; j++) {
      double a = dsamples[i], b = dsamples[j];
      float fa = (float)a, fb = (float)b;
      long double la = a, lb = b;
      sum = mix(sum, bits_of(a + b * a)); sum = mix(sum, bits_of(a - b)); sum = mix(sum, bits_of_float(fa * fb + fa)); sum = mix(sum, bits_of_long(la * lb - la + 1));
      if (b != 0) { sum = mix(sum, bits_of(a / b)); sum = mix(sum, bits_of_float(fa / fb)); sum = mix(sum, bits_of_long(la / lb)); }
      sum = mix(sum, (uint64_t)((a < b) | (a <= b) << 1 | (a == b) << 2 | (a != b) << 3 | (fa > fb) << 4 | (la >= lb) << 5 | (!(a < b)) << 6 | __builtin_isunordered(a, b) << 7));
      if (a > -1e9 && a < 1e9) { sum = mix(sum, (uint64_t)(int)a); sum = mix(sum, (uint64_t)(long)fb); sum = mix(sum, (uint64_t)(short)(a / 1e5)); }
      if (a > 0) { sum = mix(sum, (uint64_t)a); sum = mix(sum, (unsigned char)(a / 1e9)); sum = mix(sum, (uint64_t)(long)la); }
      sum = mix(sum, bits_of(-a)); sum = mix(sum, bits_of((double)(long)samples[i])); sum = mix(sum, bits_of_float((float)(uint64_t)samples[j])); sum = mix(sum, bits_of_long((long double)samples[j]));
      sum = mix(sum, bits_of((double)(uint8_t)samples[j])); sum = mix(sum, bits_of((double)(int8_t)samples[j]));
    }
  return sum;
}

TEST(test_float_classes) {
  const double inf = __builtin_inf(), nan = __builtin_nan("");
  const double all[] = {0.0, -0.0, 1.0, -1.0, 1e-310, -1e-310, inf, -inf, nan, 1e308};
  uint64_t sum = 1;
  for (int i = 0; i < 10; i++) {
    double d = all[i]; float f = (float)d; long double l = d;
    if (i == 4) f = 1e-40f;
    sum = mix(sum, (uint64_t)(!!__builtin_isnan(d) | !!__builtin_isinf(d) << 1 | !!__builtin_isfinite(d) << 2 | !!__builtin_isnormal(d) << 3 | !!__builtin_signbit(d) << 4));
    sum = mix(sum, (uint64_t)(!!__builtin_isnan(f) | !!__builtin_isinf(f) << 1 | !!__builtin_isfinite(f) << 2 | !!__builtin_isnormal(f) << 3 | !!__builtin_signbit(f) << 4));
    sum = mix(sum, (uint64_t)(!!__builtin_isnan(l) | !!__builtin_isinf(l) << 1 | !!__builtin_isfinite(l) << 2 | !!__builtin_isnormal(l) << 3 | !!__builtin_signbit(l) << 4));
    sum = mix(sum, (uint64_t)__builtin_fpclassify(1, 2, 3, 4, 5, d) + (uint64_t)__builtin_fpclassify(1, 2, 3, 4, 5, f) * 7);
  }
  return sum;
}

struct big { int a[10]; };
struct pair { double d; long l; };
struct floats { float x, y, z; };
struct tiny { char c[3]; };
struct nested { struct tiny t; struct pair p; };
static int take_big(struct big b) { int s = 0; for (int i = 0; i < 10; i++) { s = s * 3 + b.a[i]; b.a[i] = 0; } return s; }
static struct big give_big(int x) { struct big b = {{x, x + 1}}; b.a[9] = x * 2; return b; }
static struct pair give_pair(double d, long l) { struct pair p = {d, l}; return p; }
static struct floats scale(struct floats f, float k) { f.x *= k; f.y *= k; f.z *= k; return f; }
static struct tiny rotate(struct tiny t) { struct tiny r = {{t.c[1], t.c[2], t.c[0]}}; return r; }
static long deep(struct nested n, struct pair p, struct floats f, char c) { return (long)(n.p.d * 2) + n.t.c[1] + p.l + (long)f.y + c; }
TEST(test_aggregates) {
  uint64_t sum = 1;
  struct big b = give_big(5);
  for (int i = 0; i < 4; i++) { sum = mix(sum, (uint64_t)take_big(b)); b = give_big(i); }
  sum = mix(sum, (uint64_t)take_big(give_big(9)));
  struct pair p = give_pair(2.5, 77);
  sum = mix(mix(sum, bits_of(p.d)), (uint64_t)p.l);
  struct floats f = scale((struct floats){1, 2, 3}, 2.5f);
  sum = mix(sum, bits_of_float(f.x + f.y * f.z));
  struct tiny t = rotate(rotate((struct tiny){{'a', 'b', 'c'}}));
  sum = mix(sum, (uint64_t)(t.c[0] + 256 * t.c[1]));
  struct nested n = {t, p};
  sum = mix(sum, (uint64_t)deep(n, give_pair(1, 2), f, 'x'));
  struct pair chosen = sum & 1 ? p : n.p, array[3] = {[1] = p};
  sum = mix(sum, (uint64_t)(chosen.l + array[0].l + array[1].l));
  return sum;
}

static long add_all(int n, ...) {
  va_list list, copy;
  va_start(list, n);
  va_copy(copy, list);
  long s = 0;
  for (int i = 0; i < n; i++) s = s * 3 + va_arg(list, int);
  s += (long)(va_arg(list, double) * 4);
  s += take_big(va_arg(list, struct big));
  struct pair p = va_arg(list, struct pair);
  s += p.l + (long)p.d;
  s += *va_arg(list, char *);
  s += (long)va_arg(list, long double);
  s += (long)va_arg(list, long long);
  struct floats f = va_arg(list, struct floats);
  s += (long)(f.x + f.y + f.z);
  struct tiny t = va_arg(list, struct tiny);
  s += t.c[2];
  s += va_arg(copy, int);
  va_end(list);
  va_end(copy);
  return s;
}
TEST(test_variadic) {
  return (uint64_t)add_all(3, 1, -2, (short)3, 2.75f, give_big(4), give_pair(8.5, 9), "text", 6.5L, 1LL << 40, (struct floats){1, 2, 3}, (struct tiny){{1, 2, 3}});
}

static int choose(int x) {
  switch (x) {
    case -5: return 1;
    case 0: case 1: x += 10; __attribute__((fallthrough));
    case 7: x *= 2; break;
    case 1000000: return -1;
    case 20 ... 25: return 3;
    default: if (x > 100) goto out; x = 9;
  }
  return x;
out:
  return 4;
}
static int threaded(const char *code) {
  static const void *table[] = {&&plus, &&twice, &&end};
  static const int offsets[] = {&&plus - &&plus, &&twice - &&plus};
  int value = 1;
  goto *table[(int)*code++];
plus:
  value += 3;
  if (*code == 9) goto *(void *)((char *)&&plus + offsets[1]);
  goto *table[(int)*code++];
twice:
  value *= 2;
  if (*code == 9) return -value;
  goto *table[(int)*code++];
end:
  return value;
}
TEST(test_control) {
  uint64_t sum = 1;
  for (int i = -8; i < 130; i++) sum = mix(sum, (uint64_t)choose(i));
  sum = mix(sum, (uint64_t)choose(1000000));
  sum = mix(sum, (uint64_t)threaded("\0\1\0\0\1\2"));
  sum = mix(sum, (uint64_t)threaded("\1\0\x09"));
  int a = 1, b = 2, c = 3;
  for (int n = 0; n < 10; n++) { int t = a; a = b; b = c; c = t; if (n % 3 == 0) { t = a; a = b; b = t; } sum = mix(sum, (uint64_t)(a * 100 + b * 10 + c)); }
  int i = 0; do { if (i == 3) continue; if (i > 7) break; sum = mix(sum, (uint64_t)i); } while (i++ < 20);
  return sum;
}

static int counter;
static int bump(void) { return ++counter; }
static int apply(int (*f)(int), int x) { return f(x) + bump(); }
static int square(int x) { return x * x; }
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int (*const table[])(int) = {square, fib, choose};
static struct node { int value; struct node *next; int *where; } nodes[] = {{1, &nodes[1], &nodes[2].value}, {2, &nodes[2], &counter}, {3, 0, 0}};
static const char *const names[] = {"alpha", "beta", &"gamma"[2]};
static int grid[3][4] = {{1, 2}, {[2] = 7}, {4, 5, 6, 7}};
TEST(test_calls_and_data) {
  uint64_t sum = 1;
  counter = 0;
  for (int i = 0; i < 3; i++) sum = mix(sum, (uint64_t)apply(table[i], 11));
  for (struct node *n = nodes; n; n = n->next) sum = mix(sum, (uint64_t)(n->value + (n->where ? *n->where : 50)));
  for (int i = 0; i < 3; i++) for (const char *p = names[i]; *p; p++) sum = mix(sum, (uint64_t)*p);
  for (int i = 0; i < 3; i++) for (int j = 0; j < 4; j++) { grid[i][j] += i * j; sum = mix(sum, (uint64_t)grid[i][j]); }
  int (*row)[4] = &grid[2]; sum = mix(sum, (uint64_t)((*row)[1] + row[-1][2] + (int)(&grid[2][3] - &grid[0][1])));
  char text[16] = "hello"; char *p = text + 4; *p-- = 'y'; p[-1] = 'u';
  for (int i = 0; i < 16; i++) sum = mix(sum, (uint64_t)text[i]);
  int n = 5 + (int)(sum & 1) * 0; int vla[n][n]; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) vla[i][j] = i ^ j;
  for (int i = 0; i < n; i++) sum = mix(sum, (uint64_t)vla[i][n - 1 - i]);
  unsigned char bytes[8]; *(uint32_t *)(void *)bytes = 0x11223344; *(uint16_t *)(void *)(bytes + 4) = 0x5566; bytes[6] = bytes[0]; bytes[7] = 1;
  uint64_t joined; __builtin_memcpy(&joined, bytes, 8); sum = mix(sum, joined);
  struct big big, *other = &big; __builtin_memset(&big, 3, sizeof big); *other = give_big(3); sum = mix(sum, (uint64_t)big.a[9]);
  volatile int v = 3; v += v++ * 0 + 2; sum = mix(sum, (uint64_t)v);
  return sum;
}

TEST(test_builtins) {
  uint64_t sum = 1;
  for (int i = 1; i < kSamples; i++) {
    unsigned a = (unsigned)samples[i] | 1; uint64_t b = (uint64_t)samples[i]; int r; unsigned long u; short s16;
    sum = mix(sum, (uint64_t)(__builtin_popcount(a) + __builtin_clz(a) * 3 + __builtin_ctz(a) * 5 + __builtin_parity(a)));
    sum = mix(sum, (uint64_t)(__builtin_popcountll(b) + (b ? __builtin_clzll(b) * 3 + __builtin_ctzll(b) * 5 : 0) + __builtin_ffsll((long)b)));
    sum = mix(sum, __builtin_bswap32(a) + __builtin_bswap64(b) + __builtin_bswap16((uint16_t)a));
    sum = mix(sum, (uint64_t)__builtin_add_overflow((int)a, 2147483000, &r)); sum = mix(sum, (uint64_t)r);
    sum = mix(sum, (uint64_t)__builtin_mul_overflow((int)a, 3, &r)); sum = mix(sum, (uint64_t)r);
    sum = mix(sum, (uint64_t)__builtin_sub_overflow(b, 5ul, &u)); sum = mix(sum, u);
    sum = mix(sum, (uint64_t)__builtin_mul_overflow(b, 3ul, &u)); sum = mix(sum, u);
    sum = mix(sum, (uint64_t)__builtin_add_overflow((int)a, 1, &s16)); sum = mix(sum, (uint64_t)s16);
    sum = mix(sum, (a << 5 | a >> 27) ^ (b << 13 | b >> 51));
    sum = mix(sum, (uint64_t)(samples[i] < 0 ? -(samples[i] + 1) : samples[i]));
    sum = mix(sum, bits_of(__builtin_fabs(-2.5) + __builtin_copysign(3.0, -1.0)));
  }
  return sum;
}

static atomic_int ai; static _Atomic uint8_t a8; static _Atomic float af; static atomic_bool ab; static _Atomic long al; static _Atomic(int *) ap;
TEST(test_atomics) {
  uint64_t sum = 1;
  static int target[4];
  ai = 5; a8 = 250; af = 1.5f; ab = 0; al = -3; ap = target;
  for (int i = 0; i < 10; i++) {
    sum = mix(sum, (uint64_t)atomic_fetch_add(&ai, i)); sum = mix(sum, (uint64_t)atomic_fetch_sub(&a8, 3)); sum = mix(sum, (uint64_t)atomic_fetch_or(&ai, 64));
    sum = mix(sum, (uint64_t)atomic_fetch_xor(&al, i)); sum = mix(sum, (uint64_t)atomic_fetch_and(&ai, 1023)); sum = mix(sum, (uint64_t)atomic_exchange(&ab, i & 1));
    int expected = i * 7; _Bool done = atomic_compare_exchange_strong(&ai, &expected, 100 + i); sum = mix(sum, (uint64_t)(expected + done));
    af = af + 0.25f; al *= 3; a8 <<= 1; ab ^= 1; sum = mix(sum, bits_of_float(af)); sum = mix(sum, (uint64_t)al); sum = mix(sum, a8); sum += ab;
    sum = mix(sum, (uint64_t)__sync_fetch_and_nand(&target[1], i));
    sum = mix(sum, (uint64_t)__sync_val_compare_and_swap(&target[3], i / 2, i)); sum = mix(sum, (uint64_t)(atomic_fetch_add(&ap, 0) - target));
  }
  return sum;
}

typedef int v4i __attribute__((vector_size(16)));
typedef float v2f __attribute__((vector_size(8)));
static _Complex double cmul(_Complex double a, _Complex double b) { return a + b * 2.0; }
static _Complex float cadd(_Complex float a, _Complex float b) { return a + b; }
TEST(test_vectors) {
  v4i a = {1, -2, 3, 4}, b = {5, 6, 7, 8};
  v4i c = a * b + (a < b), d = __builtin_shufflevector(a, b, 0, 5, 2, 7);
  uint64_t sum = 1;
  for (int i = 0; i < 4; i++) { sum = mix(sum, (uint64_t)c[i]); d[i] += i; sum = mix(sum, (uint64_t)d[3 - i]); }
  v2f f = {1.5f, 2.5f}; f = f * f - 1; sum = mix(sum, bits_of_float(f[0] + f[1]));
  union { v2f f; uint64_t u; } x = {f}; sum = mix(sum, x.u);
  _Complex double z0; __real__ z0 = 1; __imag__ z0 = 2; _Complex double z = cmul(z0, 3.0); sum = mix(sum, bits_of(__real__ z + __imag__ z));
  _Complex float w0, w1; __real__ w0 = 1; __imag__ w0 = 2; __real__ w1 = 3; __imag__ w1 = 4; _Complex float w = cadd(w0, w1); sum = mix(sum, bits_of_float(__real__ w - __imag__ w));
  return sum;
}
