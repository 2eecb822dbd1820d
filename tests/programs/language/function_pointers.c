// VERDICT: clear
// qsort and bsearch with callbacks, tables of functions, recursion through pointers.
#include <assert.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static int add(int a, int b) { return a + b; }
static int multiply(int a, int b) { return a * b; }

static int fold(int (*step)(int, int), const int *values, int count, int start) {
  return count == 0 ? start : fold(step, values + 1, count - 1, step(start, *values));
}

int main(void) {
  int values[] = {5, 3, 9, 1, 7};
  qsort(values, 5, sizeof *values, by_value);
  for (int i = 1; i < 5; i++) assert(values[i - 1] < values[i]);
  int key = 7;
  int *found = bsearch(&key, values, 5, sizeof *values, by_value);
  assert(found == &values[3]);
  int (*table[])(int, int) = {add, multiply};
  assert(fold(table[0], values, 5, 0) == 25);
  assert(fold(table[1], values, 5, 1) == 945);
  return 0;
}
