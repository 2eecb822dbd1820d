// A loop that ends by its count long before its time is up.
// VERDICT: clear
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static atomic_int done;

static void *worker(void *argument) {
  const time_t begin = time(0);
  for (int round = 0; round < 25; round++) {
    usleep(1000);
    if (time(0) - begin > 60) abort();
  }
  done = 1;
  return argument;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  done = 2;
  pthread_join(thread, 0);
  return 0;
}
