// Floating point: conversions between all types, rounding, special values, comparisons, long double.
#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static void classify(double x) {
  printf("%g: nan %d inf %d fin %d norm %d sign %d class %d\n", fabs(x), !!isnan(x), !!isinf(x), !!isfinite(x), !!isnormal(x), !!signbit(x),
         fpclassify(x) == FP_ZERO ? 0 : fpclassify(x) == FP_SUBNORMAL ? 1 : 2);
}

int main(void) {
  volatile double zero = 0;
  double values[] = {0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 1e15 + 0.3, -1e18, 0.49999999999999994, 2147483647.5};
  for (int i = 0; i < 10; i++) {
    double v = values[i];
    printf("%.17g: %g %g %g %g %g %g %ld %lld %ld\n", v, floor(v), ceil(v), trunc(v), round(v), rint(v), nearbyint(v), lround(v), llrint(v), lrint(v));
  }
  for (int i = 0; i < 10; i++) {
    float f = (float)values[i];
    long double l = values[i];
    printf("%d %ld %u %g %Lg %d\n", (int)(f / 1e10f), (long)l, (unsigned)fabsl(l / 1e10L), (double)f, l * l, (short)(f / 1e14f));
  }
  classify(zero / zero);
  classify(-1 / zero);
  classify(DBL_MIN / 3);
  classify(-0.0);
  classify(DBL_MAX);
  double nan = zero / zero;
  printf("%d%d%d%d%d%d %d%d\n", nan < 1, nan > 1, nan == nan, nan != nan, nan <= 1, !(nan >= 1), isunordered(nan, 1), isless(1.0, 2.0));
  printf("%g %g %g %g\n", fmin(nan, 2), fmax(3, nan), fmod(-7.5, 2), remainder(7.5, 2));
  int e, q;
  double m = frexp(-48.0, &e), whole, part = modf(-3.75, &whole);
  printf("%g %d %g %g %g %g\n", m, e, ldexp(0.75, 10), whole, part, remquo(29, 3, &q));
  printf("%g %g %g %g\n", hypot(3, 4), cbrt(27), pow(2, -3), atan2(-1, -1));
  printf("%.15g %.15g %.15g %.15g\n", sin(1e6), cos(0.1), tan(1.5), log1p(1e-10));
  printf("%.9g %.9g %.9g\n", (double)sinf(2.0f), (double)expf(1.5f), (double)powf(2.5f, 3.5f));
  printf("%.20Lg %.20Lg %.20Lg\n", sqrtl(2), expl(1), logl(10));
  printf("%a %a\n", nextafter(1, 2), (double)nextafterf(1, 0));
  printf("%.10g %.10g %.10g\n", erf(0.5), tgamma(5.5), lgamma(10));
  printf("%g %d %g %g\n", fma(2, 3, 4), ilogb(1000), logb(0.1), scalbn(3, 4));
  uint64_t u = UINT64_MAX;
  int64_t s = INT64_MIN;
  printf("%.20g %.20g %g %g\n", (double)u, (double)s, (double)(float)u, (double)(float)(s + 1));
  printf("%llu %lld %u\n", (unsigned long long)1.8e19, (long long)-9.2e18, (unsigned)4.2e9f);
  float sum = 0;
  for (int i = 1; i <= 1000; i++) sum += 1.0f / (float)i;
  double dsum = 0, comp = 0;
  for (int i = 1; i <= 1000; i++) {
    double y = 0.1 - comp, t = dsum + y;
    comp = (t - dsum) - y;
    dsum = t;
  }
  printf("%.9g %.17g\n", sum, dsum);
  long double tiny = LDBL_MIN, big = LDBL_MAX;
  printf("%Lg %Lg %d %Lg\n", tiny, big / 2, isinf(big * 2) != 0, 1.0L / 3);
  unsigned char raw[sizeof(long double)] = {0};
  long double pi = 3.14159265358979323846L;
  memcpy(raw, &pi, 10);
  for (int i = 9; i >= 0; i--) printf("%02x", raw[i]);
  double neg = -5;
  printf(" %g %g %d\n", copysign(3, neg), fdim(2, 5), (int)neg % 3);
  _Complex double c = 3 + 4i, d = c * c;
  printf("%g %g\n", __real__ d, __imag__ d);
  return 0;
}
