// VERDICT: clear
// With a loop around the wait, a handler does no harm.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t items;
static atomic_int stock;

static void nothing(int number) { (void)number; }

static void *takes(void *arg) {
  while (sem_wait(&items) != 0) assert(errno == EINTR);
  assert(stock == 1);
  while (sem_wait(&items) != 0) assert(errno == EINTR);
  return arg;
}

int main(void) {
  pthread_t t;
  struct sigaction action = {.sa_handler = nothing};
  sigaction(SIGUSR1, &action, NULL);
  sem_init(&items, 0, 0);
  pthread_create(&t, NULL, takes, NULL);
  pthread_kill(t, SIGUSR1);
  stock = 1;
  sem_post(&items);
  pthread_kill(t, SIGUSR1);
  sem_post(&items);
  pthread_join(t, NULL);
  return 0;
}
