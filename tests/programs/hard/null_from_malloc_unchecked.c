// A request that cannot be met, and a program that does not look.
#include <stdlib.h>

int main(void) {
  char *p = malloc((size_t)1 << 45);
  p[0] = 'x';  // ERROR(null-dereference)!
  free(p);
  return 0;
}
