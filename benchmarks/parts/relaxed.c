// Threads that count without order, so that only the search by executions ends. Four threads count three times, MORE of
// them once more: (12 + MORE)! / (3!^(4 - MORE) * 4!^MORE) interleavings.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int odd[4];

static void *worker(void *arg) {
  int n = (int)(long)arg;
  for (int k = 0; k < 3 + (n < MORE); k++)
    if (atomic_fetch_add_explicit(&x, 1, memory_order_relaxed) % 2) odd[n]++;
  return 0;
}

int main(void) {
  pthread_t t[4];
  for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  assert(x == 12 + MORE);
  return 0;
}
