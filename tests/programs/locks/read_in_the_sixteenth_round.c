// As semaphores/taken_in_the_tenth_round.c, by attempts to read-lock.
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;

static void *holds(void *arg) {
  pthread_rwlock_wrlock(&l);
  pthread_rwlock_unlock(&l);
  return arg;
}

int main(void) {
  pthread_t t;
  int round;
  pthread_create(&t, NULL, holds, NULL);
  for (round = 0; round < 20; round++)
    if (pthread_rwlock_tryrdlock(&l) == 0) break;
  assert(round != 15);  // ERROR(assertion)!
  if (round < 20) pthread_rwlock_unlock(&l);
  pthread_join(t, NULL);
  return 0;
}
