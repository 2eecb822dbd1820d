// A list whose head is lost is one leak, however many blocks hang on it; a ring of blocks is one, too.
#include <stdlib.h>

struct node {
  struct node *next;
  int *value;
};

static struct node *made(struct node *next) {
  struct node *node = malloc(sizeof *node);
  node->next = next;
  node->value = malloc(sizeof *node->value);
  return node;
}

int main(void) {
  struct node *list = malloc(sizeof *list);  // ERROR(leak)!
  list->next = made(NULL);
  list->value = NULL;
  struct node *ring = malloc(sizeof *ring);  // ERROR(leak)!
  ring->value = calloc(4, sizeof(int));
  ring->next = made(ring);
  int *alone = malloc(4);  // ERROR(leak)!
  return list->next == ring->next || alone == NULL;
}
