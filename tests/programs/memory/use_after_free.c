// A freed block is read.
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  if (!p) return 1;
  *p = 5;
  free(p);
  return *p == 5;  // ERROR(use-after-free)!
}
