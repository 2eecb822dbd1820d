// A function returns a table by value, with its lock read-locked; the caller locks the copy for writing.
#include <pthread.h>

struct table {
  int size;
  pthread_rwlock_t lock;
};
static struct table shared = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static struct table begin(void) {
  pthread_rwlock_rdlock(&shared.lock);
  return shared;
}

static void *worker(void *arg) {
  struct table mine = begin();
  pthread_rwlock_wrlock(&mine.lock);  // ERROR(lock-misuse)!
  mine.size++;
  pthread_rwlock_unlock(&mine.lock);
  pthread_rwlock_unlock(&shared.lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
