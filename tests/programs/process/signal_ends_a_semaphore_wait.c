// A handler without SA_RESTART ends sem_wait(): who does not look at its result goes on without the item.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t items;
static atomic_int stock;

static void nothing(int number) { (void)number; }

static void *takes(void *arg) {
  sem_wait(&items);
  assert(stock == 1);  // ERROR(assertion)!
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
  pthread_join(t, NULL);
  return 0;
}
