// Calendar, locale, environment, atexit and error numbers: what is the same everywhere.
#include <errno.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void last(void) { puts("last"); }
static void first(void) { puts("first"); }

int main(void) {
  atexit(last);
  atexit(first);
  printf("%s %s\n", setlocale(LC_ALL, "C"), setlocale(LC_NUMERIC, NULL));
  printf("%s %d\n", localeconv()->decimal_point, setlocale(LC_ALL, "no_SUCH") == NULL);
  time_t stamps[] = {0, 951782400, 1709210096, -1, 4102444799};
  for (int i = 0; i < 5; i++) {
    struct tm *tm = gmtime(&stamps[i]);
    char text[128];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %a %b %j %U %V %p %I", tm);
    printf("%s %d %d %s", text, tm->tm_yday, tm->tm_wday, asctime(tm));
    printf("%ld\n", (long)timegm(tm));
  }
  struct tm odd = {.tm_year = 124, .tm_mon = 13, .tm_mday = 35, .tm_hour = -5, .tm_min = 61, .tm_sec = 3700};
  time_t t = timegm(&odd);
  printf("%ld %d %d %d %d\n", (long)t, odd.tm_year, odd.tm_mon, odd.tm_mday, odd.tm_hour);
  printf("%g\n", difftime(stamps[2], stamps[1]));
  time_t now = time(NULL), again;
  time(&again);
  clock_t before = clock();
  struct timespec ts;
  printf("%d %d %d\n", again >= now, clock() >= before, clock_gettime(CLOCK_MONOTONIC, &ts) == 0 && ts.tv_nsec < 1000000000);
  setenv("HEDDLE_TEST", "value", 1);
  printf("%s %d\n", getenv("HEDDLE_TEST"), getenv("HEDDLE_NOT_SET") == NULL);
  unsetenv("HEDDLE_TEST");
  printf("%d\n", getenv("HEDDLE_TEST") == NULL);
  errno = 0;
  strtol("99999999999999999999", NULL, 10);
  printf("%d %s\n", errno == ERANGE, strerror(EINVAL));
  srand(42);
  int a = rand(), b = rand();
  srand(42);
  printf("%d %d %d\n", a == rand(), b == rand(), rand() % 100);
  div_t d = div(-17, 5);
  ldiv_t l = ldiv(100000000007, 10);
  printf("%d %d %ld %ld %d %ld\n", d.quot, d.rem, l.quot, l.rem, abs(-3), labs(-4L));
  exit(9);
}
