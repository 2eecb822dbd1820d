// VERDICT: inconclusive
// SAYS: a signal that alarm() sends when its time is up
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int shared;

static void rings(int number) { shared = number; }

static void *work(void *arg) {
  shared = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  alarm(1);
  signal(SIGALRM, rings);
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return 0;
}
