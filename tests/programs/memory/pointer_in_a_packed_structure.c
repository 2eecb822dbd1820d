// A packed global, and a packed block that it points to, hold the only pointers to blocks, at odd places: no leak.
// VERDICT: clear
#include <pthread.h>
#include <stdlib.h>

struct __attribute__((packed)) node {
  char letter;
  struct node *next;
};
static struct node list;

static void *fills(void *arg) {
  list.next = calloc(1, sizeof *list.next);
  list.next->next = calloc(1, sizeof *list.next);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, fills, NULL);
  pthread_join(t, NULL);
  return list.letter;
}
