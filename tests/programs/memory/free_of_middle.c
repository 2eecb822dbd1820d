// The pointer has moved since malloc.
#include <stdlib.h>

int main(void) {
  char *p = malloc(8);
  if (!p) return 1;
  p++;
  free(p);  // ERROR(invalid-free)!
  return 0;
}
