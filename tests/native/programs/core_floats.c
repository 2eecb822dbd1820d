#include <math.h>
#include <stdio.h>
static double integrate(double (*f)(double), double a, double b, int n) { double h = (b - a) / n, s = 0; for (int i = 0; i < n; i++) s += f(a + (i + 0.5) * h); return s * h; }
static float dot(const float *a, const float *b, int n) { float s = 0; for (int i = 0; i < n; i++) s += a[i] * b[i]; return s; }
static long double series(int n) { long double s = 0; for (int i = 1; i <= n; i++) s += 1.0L / i / i; return s; }
int main(void) {
  printf("%.12f %.12f\n", integrate(sin, 0, 1, 1000), integrate(sqrt, 0, 2, 500));
  float x[100], y[100]; for (int i = 0; i < 100; i++) { x[i] = i * 0.25f; y[i] = 1.0f / (i + 1); }
  printf("%.6f %.9Lf\n", dot(x, y, 100), series(300));
  double nan = 0.0 / 0.0, inf = 1e308 * 10; volatile double zero = 0;
  printf("%d %d %d %d %f\n", nan == nan, nan != nan, inf > 1, -zero == zero, inf);
  for (int i = -3; i < 4; i++) printf("%d %u %ld %.3f %.0f %.1f\n", (int)(i * 1.7), (unsigned)(long)(i * 2.5), (long)(i * 1e9), floor(i * 0.7), ceil(i * 0.7), fabs(i / 3.0));
  printf("%g %g %e %a\n", 1e-5, 123456789.0, 3.14159, 1.5); printf("%d\n", (int)(float)16777217);
  printf("%f %f %f\n", fmod(7.5, 2), pow(2, 0.5), ldexp(1.5, 4)); printf("%.3f %.3f\n", (double)(unsigned long)-1, (float)-5L);
  return 0;
}
