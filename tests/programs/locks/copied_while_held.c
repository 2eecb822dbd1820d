// A structure is copied together with the lock that guards it, while the lock is held. The copy's lock is used.
#include <pthread.h>

struct account {
  pthread_mutex_t lock;
  long balance;
};
static struct account first = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *worker(void *arg) {
  struct account mine;
  pthread_mutex_lock(&first.lock);
  mine = first;
  pthread_mutex_unlock(&first.lock);
  pthread_mutex_lock(&mine.lock);  // ERROR(lock-misuse)!
  mine.balance++;
  pthread_mutex_unlock(&mine.lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_mutex_lock(&first.lock);
  first.balance = 5;
  pthread_mutex_unlock(&first.lock);
  pthread_join(t, NULL);
  return 0;
}
