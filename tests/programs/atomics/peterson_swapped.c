// Peterson's lock with the two announcements in the wrong order: both threads get in.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], turn;
static int value;
static int ids[2] = {0, 1};

static void *worker(void *arg) {
  int me = *(int *)arg, other = 1 - me;
  atomic_store(&turn, other);
  atomic_store(&wants[me], 1);
  while (atomic_load(&wants[other]) && atomic_load(&turn) == other) {
  }
  value++;  // RACE!
  atomic_store(&wants[me], 0);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, &ids[0]);
  pthread_create(&b, NULL, worker, &ids[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
