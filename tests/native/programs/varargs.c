// Variadic functions: every kind of argument, lists passed on, copied, read twice; structures by value.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct small { int x; };
struct pair { double a, b; };
struct mixed { int i; double d; };
struct large { int a[8]; };
struct odd { char c[3]; };

static long sum(int n, ...) {
  va_list ap;
  va_start(ap, n);
  long total = 0;
  for (int i = 0; i < n; i++) total += va_arg(ap, int);
  va_end(ap);
  return total;
}

static void show_v(const char *kinds, va_list ap) {
  for (; *kinds; kinds++) {
    switch (*kinds) {
      case 'i': printf(" %d", va_arg(ap, int)); break;
      case 'u': printf(" %u", va_arg(ap, unsigned)); break;
      case 'l': printf(" %ld", va_arg(ap, long)); break;
      case 'd': printf(" %g", va_arg(ap, double)); break;
      case 'L': printf(" %Lg", va_arg(ap, long double)); break;
      case 's': printf(" %s", va_arg(ap, const char *)); break;
      case 'c': printf(" %c", va_arg(ap, int)); break;
      case 'S': printf(" {%d}", va_arg(ap, struct small).x); break;
      case 'P': {
        struct pair p = va_arg(ap, struct pair);
        printf(" {%g,%g}", p.a, p.b);
        break;
      }
      case 'M': {
        struct mixed m = va_arg(ap, struct mixed);
        printf(" {%d,%g}", m.i, m.d);
        break;
      }
      case 'B': {
        struct large l = va_arg(ap, struct large);
        printf(" {%d..%d}", l.a[0], l.a[7]);
        break;
      }
      case 'O': {
        struct odd o = va_arg(ap, struct odd);
        printf(" {%.3s}", o.c);
        break;
      }
      case 'f': printf(" %d", va_arg(ap, int (*)(int))(20)); break;
    }
  }
}

static void show(const char *kinds, ...) {
  va_list ap, again;
  va_start(ap, kinds);
  va_copy(again, ap);
  printf("%s:", kinds);
  show_v(kinds, ap);
  printf(" |");
  show_v(kinds, again);
  puts("");
  va_end(again);
  va_end(ap);
}

static int twice(int x) { return 2 * x; }

static int log_to(char *out, size_t size, const char *form, ...) {
  va_list ap;
  va_start(ap, form);
  int n = snprintf(out, size, "[log] ");
  n += vsnprintf(out + n, size - (size_t)n, form, ap);
  va_end(ap);
  return n;
}

int main(void) {
  printf("%ld %ld %ld\n", sum(0), sum(3, 1, 2, 3), sum(10, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  show("idlsc", 1, 2.5, 3L, "four", '5');
  show("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.);
  show("LiLd", 1.5L, 2, 2.5L, 3.5);
  show("SPMBO", (struct small){1}, (struct pair){2, 3}, (struct mixed){4, 5}, (struct large){{6, 0, 0, 0, 0, 0, 0, 7}}, (struct odd){"abc"});
  show("iiiiiiMPdS", 1, 2, 3, 4, 5, 6, (struct mixed){7, 8}, (struct pair){9, 10}, 11., (struct small){12});
  show("uf", 4000000000u, twice);
  float f = 1.25f;
  short s = -5;
  unsigned char c = 200;
  show("dii", f, s, c);
  char text[32];
  int n = log_to(text, sizeof text, "%s=%05.1f and much more text", "x", 3.14159);
  printf("%d %s %zu\n", n, text, strlen(text));
  return 0;
}
