// A read before the beginning of a heap block.
#include <stdlib.h>

int main(void) {
  char *text = calloc(1, 8);
  if (!text) return 1;
  volatile int i = -1;
  char c = text[i];  // ERROR(out-of-bounds)!
  free(text);
  return c;
}
