// VERDICT: clear
// Ownership moves through a mutex-protected slot; the object itself is never touched by two threads at once.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *slot;

static void *giver(void *arg) {
  int *box = malloc(sizeof *box);
  if (!box) return arg;
  *box = 5;  // NORACE
  pthread_mutex_lock(&m);
  slot = box;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *taker(void *arg) {
  pthread_mutex_lock(&m);
  int *box = slot;
  slot = NULL;
  pthread_mutex_unlock(&m);
  if (box) {
    *box += 1;  // NORACE
    free(box);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, giver, NULL);
  pthread_create(&b, NULL, taker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(slot);
  return 0;
}
