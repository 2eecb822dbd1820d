// VERDICT: clear
// malloc fails like on a real machine, and the program copes.
#include <stdlib.h>

int main(void) {
  char *p = malloc((size_t)1 << 45);
  if (!p) return 0;
  free(p);
  return 0;
}
