// VERDICT: clear
// Copying uninitialised padding and fields is fine as long as nothing depends on them.
#include <stdlib.h>
#include <string.h>

struct record { char tag; int value; int unused; };

int main(void) {
  struct record *a = malloc(sizeof *a), *b = malloc(sizeof *b);
  if (!a || !b) return 1;
  a->tag = 'x';
  a->value = 3;
  memcpy(b, a, sizeof *b);
  int value = b->value;
  free(a);
  free(b);
  return value != 3;
}
