// VERDICT: clear
// With SA_RESTART, which signal() sets, the wait goes on after the handler.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>

static sem_t items;

static void nothing(int number) { (void)number; }

static void *takes(void *arg) {
  assert(sem_wait(&items) == 0);
  return arg;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, nothing);
  sem_init(&items, 0, 0);
  pthread_create(&t, NULL, takes, NULL);
  pthread_kill(t, SIGUSR1);
  sem_post(&items);
  pthread_join(t, NULL);
  return 0;
}
