#include <stdarg.h>
#include <stdio.h>
struct pair { long a; double b; }; struct big { int v[10]; };
static double sum(const char *kinds, ...) {
  va_list list; va_start(list, kinds); double s = 0;
  for (; *kinds; kinds++) switch (*kinds) {
    case 'i': s += va_arg(list, int); break; case 'l': s += va_arg(list, long); break; case 'd': s += va_arg(list, double); break;
    case 'L': s += (double)va_arg(list, long double); break; case 's': { const char *t = va_arg(list, const char *); while (*t) s += *t++; break; }
    case 'p': { struct pair p = va_arg(list, struct pair); s += p.a + p.b; break; } case 'b': { struct big b = va_arg(list, struct big); s += b.v[9]; break; } }
  va_end(list); return s;
}
static int format(char *to, size_t n, const char *f, ...) { va_list a, b; va_start(a, f); va_copy(b, a); int x = vsnprintf(to, n, f, a); int y = vsnprintf(NULL, 0, f, b); va_end(a); va_end(b); return x * 1000 + y; }
static int count(int n, ...) { va_list l; va_start(l, n); int s = 0; while (n--) s += va_arg(l, int); va_end(l); return s; }
int main(void) {
  struct big b = {{0, 0, 0, 0, 0, 0, 0, 0, 0, 77}};
  printf("%.3f\n", sum("ildLspbi", 1, 2L, 3.5, 4.25L, "AB", (struct pair){5, 6.5}, b, 7));
  char text[40]; printf("%d ", format(text, 40, "%s-%d-%c-%5.2f", "abc", -42, 'x', 2.71828)); puts(text);
  printf("%d %d\n", count(0), count(12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
  int (*f)(int, ...) = count; printf("%d %d %d %d %d %d %d %.1f %.1f\n", 1, 2, 3, 4, 5, 6, f(2, 3, 4), 8.0, 9.0);
  return 0;
}
