// VERDICT: inconclusive
// SAYS: waits for what only a signal from outside the program would change
// A server: its last thread runs until SIGTERM comes.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int stop;

static void ends(int number) {
  (void)number;
  stop = 1;
}

static void *work(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  struct sigaction action = {.sa_handler = ends};
  sigaction(SIGTERM, &action, NULL);
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  while (!stop) usleep(1000);
  return 0;
}
