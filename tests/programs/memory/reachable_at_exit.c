// VERDICT: clear
// What a global variable still reaches at the end is no leak.
#include <stdlib.h>

struct node { struct node *next; };

static struct node *head;

int main(void) {
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    if (!n) return 1;
    n->next = head;
    head = n;
  }
  return 0;
}
