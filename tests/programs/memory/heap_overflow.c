// One element past the end of a heap array.
#include <stdlib.h>

int main(void) {
  int *a = malloc(4 * sizeof *a);
  if (!a) return 1;
  for (int i = 0; i <= 4; i++) a[i] = i;  // ERROR(out-of-bounds)!
  int last = a[3];
  free(a);
  return last != 3;
}
