// VERDICT: clear
// Many megabytes written and copied at once.
#include <assert.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  size_t size = 8u << 20;
  char *a = malloc(size), *b = malloc(size);
  if (!a || !b) return 1;
  memset(a, 'q', size);
  memcpy(b, a, size);
  assert(b[size - 1] == 'q' && memcmp(a, b, size) == 0);
  free(a);
  free(b);
  return 0;
}
