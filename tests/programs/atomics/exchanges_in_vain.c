// 997 tries to change the word, counted, then it yields.
// VERDICT: clear
// STATS: executions=20
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_int busy;
static int shared;

static void take(void) {
  for (;;) {
    for (int i = 0; i < 997; i++) {
      int expected = 0;
      if (atomic_compare_exchange_strong(&busy, &expected, 1)) return;
    }
    sched_yield();
  }
}

static void *worker(void *argument) {
  take();
  shared++;
  busy = 0;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  pthread_join(thread, 0);
  return 0;
}
