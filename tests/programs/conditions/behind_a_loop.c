// A thread waits for a signal that another would give behind a loop that never ends: the cause is the loop.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_int gate = 1;
static int flag;

static void *waits(void *arg) {
  atomic_store(&gate, 3);
  pthread_mutex_lock(&lock);
  while (flag == 0) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *signals(void *arg) {
  while (atomic_load(&gate) != 1) {}  // ERROR(livelock)!
  pthread_mutex_lock(&lock);
  flag = 1;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, waits, NULL);
  pthread_create(&threads[1], NULL, signals, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
