// A reader holds the lock that is initialised.
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t inside, done;

static void *reads(void *arg) {
  pthread_rwlock_rdlock(&lock);
  sem_post(&inside);
  sem_wait(&done);
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&inside, 0, 0);
  sem_init(&done, 0, 0);
  pthread_create(&t, NULL, reads, NULL);
  sem_wait(&inside);
  pthread_rwlock_init(&lock, NULL);  // ERROR(lock-misuse)!
  sem_post(&done);
  pthread_join(t, NULL);
  return 0;
}
