// A decision on a heap word that nobody wrote.
#include <stdlib.h>

int main(void) {
  int *p = malloc(2 * sizeof *p);
  if (!p) return 1;
  p[0] = 1;
  int result = 0;
  if (p[1] > 3) result = 2;  // ERROR(uninitialised-read)!
  free(p);
  return result;
}
