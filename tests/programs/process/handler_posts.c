// VERDICT: inconclusive
// SAYS: waits for what only a signal from outside the program would change
// The handler's function calls what posts.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static sem_t done;

static void finish(void) { sem_post(&done); }

static void ends(int number) {
  (void)number;
  finish();
}

static void *work(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  sem_init(&done, 0, 0);
  signal(SIGINT, ends);
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  sem_wait(&done);
  return 0;
}
