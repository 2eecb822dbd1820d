// Complex numbers, wide characters, getopt on an argument vector of its own, byte order.
#include <arpa/inet.h>
#include <complex.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

static void show(double complex z) { printf("%.10g%+.10gi ", creal(z), cimag(z)); }

static void options(void) {
  char *argv[] = {"prog", "-ab", "file1", "-cvalue", "--name=x", "-c", "next", "--flag", "file2", "--nam", "y", "-q", "--", "-z", NULL};
  int flag = 0, c, index = 0, argc = 14;
  const struct option longs[] = {{"name", required_argument, NULL, 'n'}, {"flag", no_argument, &flag, 7}, {NULL, 0, NULL, 0}};
  opterr = 0;
  while ((c = getopt_long(argc, argv, "abc:", longs, &index)) != -1) printf("%c%s%s ", c ? c : '0', optarg ? "=" : "", optarg ? optarg : "");
  printf("| %d %d", flag, optind);
  for (int i = optind; i < argc; i++) printf(" %s", argv[i]);
  optind = 1;
  char *plain[] = {"prog", "-x1", "rest", "-y", NULL};
  puts("");
  while ((c = getopt(4, plain, "+x:y")) != -1) printf("%c%s ", c, optarg ? optarg : "");
  printf("%d\n", optind);
}

int main(void) {
  double complex a = 1 + 2 * I, b = -0.5 + 3 * I;
  show(a * b);
  show(a / b);
  show(csqrt(a));
  show(cexp(b));
  show(cpow(a, b));
  show(conj(a) + INFINITY * a);
  puts("");
  float complex f = 1.5f - 2.0f * I;
  f = f * f / (2 + f);
  printf("%g %g %g %g\n", (double)crealf(f), (double)cimagf(f), (double)cabsf(f), carg(b));
  show(csin(a));
  show(clog(-1));
  printf("%g\n", cabs(3 + 4 * I));
  wchar_t text[32] = L"wide", *found;
  wcscat(text, L" text");
  found = wcschr(text, L't');
  printf("%zu %ls %d %d\n", wcslen(text), found, wcscmp(text, L"wide"), wmemcmp(text, L"wiDe", 4) > 0);
  char narrow[32];
  printf("%zu %s %d %lc\n", wcstombs(narrow, text, sizeof narrow), narrow, iswalpha(L'x') != 0, towupper(L'q'));
  printf("%zu %ls\n", mbstowcs(text, "narrow", 32), text);
  options();
  printf("%x %x %g\n", htonl(0x01020304), ntohs(0x0506), __builtin_powi(1.5, -7));
  return 0;
}
