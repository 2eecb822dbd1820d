// A hundred tries, counted, then it yields.
// VERDICT: clear
// STATS: executions=20
#include <pthread.h>
#include <sched.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void *worker(void *argument) {
  for (int tries = 0; pthread_mutex_trylock(&mutex); tries++) {
    if (tries < 100) continue;
    sched_yield();
    tries = 0;
  }
  shared++;
  pthread_mutex_unlock(&mutex);
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  worker(0);
  pthread_join(thread, 0);
  return 0;
}
