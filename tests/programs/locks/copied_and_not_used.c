// A snapshot is taken under the lock that it contains: only its numbers are used, or its lock is made anew.
#include <assert.h>
#include <pthread.h>

struct statistics {
  pthread_mutex_t lock;
  long hits, misses;
};
static struct statistics shared = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct statistics snapshot(void) {
  pthread_mutex_lock(&shared.lock);
  struct statistics copy = shared;
  pthread_mutex_unlock(&shared.lock);
  return copy;
}

static void *worker(void *arg) {
  pthread_mutex_lock(&shared.lock);
  shared.hits++, shared.misses++;
  pthread_mutex_unlock(&shared.lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  struct statistics seen = snapshot();
  assert(seen.hits == seen.misses);
  pthread_mutex_init(&seen.lock, NULL);
  pthread_mutex_lock(&seen.lock);
  pthread_mutex_unlock(&seen.lock);
  pthread_mutex_destroy(&seen.lock);
  pthread_join(t, NULL);
  return 0;
}
