// The program gives up by itself.
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  if (p) {
    free(p);
    abort();  // ERROR(abort)!
  }
  return 0;
}
