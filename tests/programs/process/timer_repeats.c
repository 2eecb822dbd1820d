// SAYS: a timer that repeats expires twice
// Each expiry counts, without a lock, what a worker counts, too.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/time.h>

static int ticks;

static void ticks_on(int number) {
  (void)number;
  ticks++;  // ERROR(data-race)!
}

static void *work(void *arg) {
  ticks++;  // ERROR(data-race)!
  return arg;
}

int main(void) {
  pthread_t t;
  const struct itimerval tenth = {{0, 100000}, {0, 100000}}, none = {{0, 0}, {0, 0}};
  signal(SIGALRM, ticks_on);
  setitimer(ITIMER_REAL, &tenth, NULL);
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  setitimer(ITIMER_REAL, &none, NULL);
  return 0;
}
