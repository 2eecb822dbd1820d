// No handler changes what main waits for.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int ready;
static volatile sig_atomic_t stop;

static void ends(int number) {
  (void)number;
  stop = 1;
}

static void *work(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  signal(SIGTERM, ends);
  pthread_create(&t, NULL, work, NULL);
  while (!ready) usleep(1000);  // ERROR(livelock)!
  pthread_join(t, NULL);
  return 0;
}
