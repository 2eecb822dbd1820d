// The reader inside waits for a post, whose thread waits behind the writer.
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP;
static sem_t done;
static int x;

static void* reader(void* arg) {
  pthread_rwlock_rdlock(&lock);
  sem_wait(&done);  // DEADLOCK!
  pthread_rwlock_unlock(&lock);
  return arg;
}
static void* helper(void* arg) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  sem_post(&done);
  return arg;
}
int main(void) {
  pthread_t a, b;
  sem_init(&done, 0, 0);
  pthread_create(&a, 0, reader, 0);
  pthread_create(&b, 0, helper, 0);
  pthread_rwlock_wrlock(&lock);
  x++;
  pthread_rwlock_unlock(&lock);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
