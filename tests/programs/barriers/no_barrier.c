// The neighbour's cell is read without a barrier.
#include <pthread.h>

static int cells[2], sums[2];
static int ids[2] = {0, 1};

static void *worker(void *arg) {
  int id = *(int *)arg;
  cells[id] = id + 1;          // RACE!
  sums[id] = cells[1 - id];    // RACE!
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
