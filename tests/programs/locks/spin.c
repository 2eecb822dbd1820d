// VERDICT: clear
// pthread spin locks exclude like mutexes.
#include <assert.h>
#include <pthread.h>

static pthread_spinlock_t lock;
static int value;

static void *worker(void *arg) {
  pthread_spin_lock(&lock);
  value++;
  pthread_spin_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_spin_destroy(&lock);
  assert(value == 2);
  return 0;
}
