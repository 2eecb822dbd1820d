// SAYS: worker 1 (works) waits for ever on condition variable 'started': the signal came before the wait, without mutex 'm'"
// In each round main waits for the worker, whose signal came too early. Both would signal each other again, in the next
// round: the cause is the signal between the look at the flag and the wait.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t finished = PTHREAD_COND_INITIALIZER, started = PTHREAD_COND_INITIALIZER;
static atomic_int start;
static int done;

static void *works(void *arg) {
  for (int round = 0; round < 2; round++) {
    pthread_mutex_lock(&m);
    while (!atomic_load(&start)) pthread_cond_wait(&started, &m);  // ERROR(lost-signal)!
    atomic_store(&start, 0);
    done = 1;
    pthread_cond_signal(&finished);
    pthread_mutex_unlock(&m);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  for (int round = 0; round < 2; round++) {
    atomic_store(&start, 1);
    pthread_cond_signal(&started);  // ERROR(lost-signal)!
    pthread_mutex_lock(&m);
    while (!done) pthread_cond_wait(&finished, &m);  // ERROR(lost-signal)!
    done = 0;
    pthread_mutex_unlock(&m);
  }
  pthread_join(t, NULL);
  return 0;
}
