// VERDICT: clear inconclusive
// Takes memory until there is no more.
#include <stdlib.h>

struct block { struct block *next; char bytes[1 << 20]; };

int main(void) {
  struct block *all = NULL;
  for (;;) {
    struct block *more = malloc(sizeof *more);
    if (!more) break;
    more->next = all;
    all = more;
  }
  while (all) {
    struct block *next = all->next;
    free(all);
    all = next;
  }
  return 0;
}
