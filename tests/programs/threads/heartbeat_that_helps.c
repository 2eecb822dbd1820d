// The heartbeat posts when it has counted far enough: whoever waits for it does not wait for ever.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int stop, beats;
static sem_t enough;

static void *heartbeat(void *arg) {
  while (!stop) {
    if (++beats == 1500) sem_post(&enough);
    usleep(9);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&enough, 0, 0);
  pthread_create(&t, 0, heartbeat, 0);
  sem_wait(&enough);
  stop = 1;
  pthread_join(t, 0);
  return 0;
}
