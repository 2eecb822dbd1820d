// printf with everything that a program may ask of it.
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(void) {
  printf("[%5d][%-5d][%05d][%+d][% d][%.3d][%8.3d][%-8.3d|\n", 42, 42, 42, 42, 42, 42, 42, 42);
  printf("[%x][%#x][%X][%#X][%o][%#o][%#.0o][%.0d]\n", 48879, 48879, 48879, 48879, 8, 8, 0, 0);
  printf("[%hhd][%hd][%ld][%lld][%jd][%zd][%td]\n", (char)-1, (short)-2, -3L, -4LL, (intmax_t)-5, (ptrdiff_t)-6, (ptrdiff_t)-7);
  printf("[%hhu][%hu][%lu][%llu][%ju][%zu]\n", (unsigned char)-1, (unsigned short)-2, -3UL, -4ULL, (uintmax_t)-5, (size_t)-6);
  printf("[%s][%10s][%-10s][%.2s][%10.2s][%c][%3c][%-3c]\n", "text", "text", "text", "text", "text", 'a', 'b', 'c');
  printf("[%*d][%-*d][%.*f][%*.*f]\n", 6, 1, 6, 2, 2, 3.14159, 10, 3, 2.71828);
  printf("[%*d][%.*d]\n", -6, 1, -1, 5);
  printf("[%f][%.0f][%#.0f][%10.2f][%-10.2f][%+.1f][%010.3f]\n", 1.5, 2.5, 2.5, 3.14159, 3.14159, 2.0, -3.14159);
  printf("[%e][%.0e][%E][%12.3e]\n", 12345.678, 12345.678, 0.00012, -1e100);
  printf("[%g][%g][%g][%g][%G][%#g][%.3g]\n", 0.0001, 0.00001, 123456.0, 1234567.0, 1e-10, 1.0, 1234.5);
  printf("[%a][%A][%.2a][%a]\n", 1.0, 0.1, 3.999, -0.0);
  printf("[%f][%F][%5.1f][%+f][%e]\n", INFINITY, -INFINITY, NAN, INFINITY, HUGE_VAL);
  printf("[%Lf][%Le][%Lg][%.20Lg][%La]\n", 1.5L, 1.5e300L, LDBL_MAX, 0.1L, 1.0L);
  printf("[%.17g][%.17g][%.60f]\n", DBL_MAX, DBL_MIN, 0.1);
  printf("[%g][%g][%g]\n", (double)FLT_MAX, (double)FLT_MIN, (double)FLT_EPSILON);
  printf("[%d][%d][%u][%ld][%lu]\n", INT_MAX, INT_MIN, UINT_MAX, LONG_MIN, ULONG_MAX);
  printf("[%" PRIu8 "][%" PRId16 "][%" PRIx32 "][%" PRIo64 "]\n", (uint8_t)255, (int16_t)-300, (uint32_t)0xabcdef, (uint64_t)511);
  printf("[%p][%10p]\n", (void *)0, (void *)0);
  printf("[%%][%5%][%-5c]\n", 'x');
  int a = 0, b = 0;
  long c = 0;
  printf("abc%ndef%n%s%ln\n", &a, &b, "ghi", &c);
  printf("%d %d %ld\n", a, b, c);
  printf("%2$s %1$s %2$.1s\n", "world", "hello");
  printf("%ls|%lc|%.2ls\n", L"wide", (wint_t)L'w', L"cut");
  int n = printf("%s", "");
  printf("%d %d\n", n, printf("12345\n"));
  char small[8];
  n = snprintf(small, sizeof small, "%s-%d", "abcdef", 123456);
  printf("%d [%s]\n", n, small);
  n = snprintf(NULL, 0, "%1000d", 5);
  printf("%d\n", n);
  char *made = NULL;
  n = asprintf(&made, "%0*d|%s", 30, 7, "x");
  printf("%d %s\n", n, made);
  free(made);
  fprintf(stdout, "%s %d\n", "to stdout", 1);
  fprintf(stderr, "to stderr\n");
  putchar('x');
  putc('y', stdout);
  fputc('z', stdout);
  fputs("fputs\n", stdout);
  puts("puts");
  fwrite("fwrite\n", 1, 7, stdout);
  perror("perror");
  return 3;
}
