// main waits for a thread that counts its rounds, sleeps, and looks at a flag which is never set.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int stop, beats;

static void *heartbeat(void *arg) {
  while (!stop) {  // ERROR(livelock|deadlock)!
    beats++;
    usleep(9);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, heartbeat, 0);
  pthread_join(t, 0);  // ERROR(livelock|deadlock)?
  return 0;
}
