// sscanf, strtol, strtod and friends.
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int i = 0, j = 0, n = 0;
  unsigned u = 0;
  long l = 0;
  short h = 0;
  char c = 0, s[32] = "", t[32] = "";
  float f = 0;
  double d = 0;
  long double x = 0;
  printf("%d ", sscanf("12 -34 0x1f 077", "%d %d %i %o", &i, &j, (int *)&u, (unsigned *)&n));
  printf("%d %d %u %d\n", i, j, u, n);
  printf("%d ", sscanf("  3.5abc xyz", "%f%s%c%2s", &f, s, &c, t));
  printf("%g [%s] [%c] [%s]\n", f, s, c, t);
  printf("%d ", sscanf("key = value # comment", "%[a-z] = %[^#]%n", s, t, &n));
  printf("[%s] [%s] %d\n", s, t, n);
  printf("%d ", sscanf("1e10,-inf,0x1p4", "%lf,%f,%Lf", &d, &f, &x));
  printf("%g %g %Lg\n", d, f, x);
  printf("%d ", sscanf("12345", "%2d%1d%*d%n", &i, &j, &n));
  printf("%d %d %d\n", i, j, n);
  printf("%d %d %d\n", sscanf("", "%d", &i), sscanf("abc", "%d", &i), sscanf("  ", " %c", &c));
  printf("%d ", sscanf("2024-02-29T12:34:56", "%d-%d-%*dT%hd:%ld", &i, &j, &h, &l));
  printf("%d %d %d %ld\n", i, j, h, l);
  const char *numbers[] = {"42", "  -17xyz", "0x7fff", "077", "99999999999999999999", "-99999999999999999999", "", "z", "1e5", "+", "0b11", "  +0"};
  for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++) {
    char *end;
    errno = 0;
    long v = strtol(numbers[k], &end, 0);
    printf("%ld '%s' %d | ", v, end, errno);
    errno = 0;
    unsigned long w = strtoul(numbers[k], &end, 36);
    printf("%lu '%s' %d | ", w, end, errno);
    errno = 0;
    double r = strtod(numbers[k], &end);
    printf("%g '%s' %d | %d\n", r, end, errno, k == 4 || k == 5 ? 0 : atoi(numbers[k]));
  }
  printf("%g %g %g\n", strtod("1e400", NULL), strtod("1e-400", NULL), (double)strtof("3.4028236e39", NULL));
  printf("%.20Lg\n", strtold("0.1", NULL));
  char line[] = "alpha,beta;gamma,,delta";
  for (char *tok = strtok(line, ",;"); tok; tok = strtok(NULL, ",;")) printf("<%s>", tok);
  char fields[] = "a::b:";
  char *rest = fields, *field;
  while ((field = strsep(&rest, ":"))) printf("(%s)", field);
  puts("");
  return errno == ERANGE;
}
