// A local array is freed.
#include <stdlib.h>

int main(void) {
  char buffer[8];
  char *volatile p = buffer;
  free(p);  // ERROR(invalid-free)!
  return 0;
}
