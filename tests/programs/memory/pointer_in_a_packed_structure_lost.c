// The only pointer to a block, at an odd place of a packed global, is overwritten.
#include <pthread.h>
#include <stdlib.h>

static struct __attribute__((packed)) {
  char letter;
  int *at;
} holder;

static void *fills(void *arg) {
  holder.at = calloc(1, sizeof *holder.at);  // ERROR(leak)!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, fills, NULL);
  pthread_join(t, NULL);
  holder.at = NULL;
  return holder.letter;
}
