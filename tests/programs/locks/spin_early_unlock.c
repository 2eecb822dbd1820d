// The spin lock is released before the last write.
#include <pthread.h>

static pthread_spinlock_t lock;
static int count, last;

static void *worker(void *arg) {
  pthread_spin_lock(&lock);
  count++;
  pthread_spin_unlock(&lock);
  last = *(int *)arg;  // RACE!
  return arg;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&a, NULL, worker, &one);
  pthread_create(&b, NULL, worker, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_spin_destroy(&lock);
  return 0;
}
