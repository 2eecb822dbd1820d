// A loop that polls with pauses and stores something in each round gives up before the other thread has run at all;
// then it waits for that thread.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int ready;
static int data, work[20];

static void *produce(void *unused) {
  data = 1;  // RACE!
  ready = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, produce, 0);
  for (int i = 0; i < 20 && !ready; i++) {
    work[i] = i;
    usleep(1000);
  }
  data++;  // RACE!
  pthread_join(thread, 0);
  return 0;
}
