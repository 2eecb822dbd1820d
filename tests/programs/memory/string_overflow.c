// strcpy into a buffer without room for the terminator.
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *copy = malloc(6);
  if (!copy) return 1;
  strcpy(copy, "heddle");  // ERROR(out-of-bounds)!
  free(copy);
  return 0;
}
