// The loop ends by its own count, which another thread's setting bounds.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int beats, most = 2345;

static void *heartbeat(void *arg) {
  while (atomic_load(&beats) < atomic_load(&most)) {
    atomic_fetch_add(&beats, 1);
    usleep(9);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, heartbeat, 0);
  pthread_join(t, 0);
  return 0;
}
