// The only pointer to a block is overwritten.
#include <stdlib.h>

int main(void) {
  char *p = malloc(10);  // ERROR(leak)!
  if (!p) return 1;
  p[0] = 'x';
  p = malloc(20);
  free(p);
  return 0;
}
