// Of two readers that keep their lock one has ended: that one holds the writer up for ever.
// SAYS: which has ended
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static sem_t both, never;

static void *stay(void *arg) {
  pthread_rwlock_rdlock(&lock);
  sem_post(&both);
  sem_wait(&never);  // ERROR(deadlock)?
  pthread_rwlock_unlock(&lock);
  return arg;
}

static void *leave(void *arg) {
  pthread_rwlock_rdlock(&lock);  // ERROR(deadlock)?
  sem_post(&both);
  return arg;
}

int main(void) {
  pthread_t a, b;
  sem_init(&both, 0, 0);
  sem_init(&never, 0, 0);
  pthread_create(&a, NULL, stay, NULL);
  pthread_create(&b, NULL, leave, NULL);
  sem_wait(&both);
  sem_wait(&both);
  pthread_join(b, NULL);
  pthread_rwlock_wrlock(&lock);  // ERROR(deadlock)!
  pthread_rwlock_unlock(&lock);
  pthread_join(a, NULL);
  return 0;
}
