// VERDICT: clear
// Variadic functions, and the printf family.
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static long sum(int count, ...) {
  va_list list, copy;
  long total = 0;
  va_start(list, count);
  va_copy(copy, list);
  for (int i = 0; i < count; i++) total += va_arg(list, int);
  for (int i = 0; i < count; i++) total += va_arg(copy, int);
  va_end(copy);
  va_end(list);
  return total;
}

static int format(char *to, size_t size, const char *pattern, ...) {
  va_list list;
  va_start(list, pattern);
  int written = vsnprintf(to, size, pattern, list);
  va_end(list);
  return written;
}

int main(void) {
  char text[32];
  assert(sum(4, 1, 2, 3, 4) == 20);
  assert(format(text, sizeof text, "%d-%s-%.2f-%c", 7, "ab", 2.5, 'z') == 11);
  assert(strcmp(text, "7-ab-2.50-z") == 0);
  assert(snprintf(text, 4, "%06x", 0xabcd) == 6);
  assert(strcmp(text, "00a") == 0);
  printf("%5d|%-5s|%lu|%p\n", 3, "x", 9ul, (void *)0);
  return 0;
}
