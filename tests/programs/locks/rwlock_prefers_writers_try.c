// Who only tries to read is refused while a writer waits.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static sem_t held, tried;
static int x;

static void* reader(void* arg) {
  pthread_rwlock_rdlock(&lock);
  sem_post(&held);
  sem_wait(&tried);
  pthread_rwlock_unlock(&lock);
  return arg;
}
static void* other(void* arg) {
  sem_wait(&held);
  int code = pthread_rwlock_tryrdlock(&lock);
  if (code == 0) pthread_rwlock_unlock(&lock);
  sem_post(&tried);
  assert(code == 0);  // ERROR(assertion)!
  return arg;
}
int main(void) {
  pthread_t a, b;
  sem_init(&held, 0, 0);
  sem_init(&tried, 0, 0);
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, other, 0);
  pthread_rwlock_wrlock(&lock);
  x++;
  pthread_rwlock_unlock(&lock);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
