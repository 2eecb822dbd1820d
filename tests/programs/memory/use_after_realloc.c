// The old pointer is used after realloc.
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  if (!p) return 1;
  *p = 5;
  int *q = realloc(p, 1000 * sizeof *q);
  if (!q) return 1;
  int value = *p;  // ERROR(use-after-free)!
  free(q);
  return value == 4;
}
