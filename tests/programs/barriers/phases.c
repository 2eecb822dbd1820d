// VERDICT: clear
// Each thread writes its cell before the barrier and reads its neighbour's after it.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int cells[2];
static int ids[2] = {0, 1};

static void *worker(void *arg) {
  int id = *(int *)arg;
  cells[id] = id + 1;
  pthread_barrier_wait(&barrier);
  assert(cells[1 - id] == 2 - id);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&a, NULL, worker, &ids[0]);
  pthread_create(&b, NULL, worker, &ids[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_barrier_destroy(&barrier);
  return 0;
}
