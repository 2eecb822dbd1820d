#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 1
static atomic_int slots[4];

static void *worker(void *argument) {
  for (int round = 0; round < ROUNDS; round++)
    for (int n = 0; n < 4; n++) atomic_fetch_add(&slots[n], atomic_load(&slots[(n + 1) % 4]) + 1);
  return argument;
}

int main(void) {
  pthread_t threads[2];
  for (int n = 0; n < 2; n++) pthread_create(&threads[n], 0, worker, 0);
  for (int n = 0; n < 2; n++) pthread_join(threads[n], 0);
  return 0;
}
