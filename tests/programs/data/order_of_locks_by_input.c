// Which lock comes first depends on an input in one thread: one of its values gives the other order.
// SETTINGS: unknown-data: symbolic
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *by_input(void *unused) {
  const int n = __VERIFIER_nondet_int();
  const int swapped = n > 0 && n % 10007 == 9000 && n / 10007 == 4;
  pthread_mutex_t *first = &locks[0], *second = &locks[1];
  if (swapped) {
    first = &locks[1];
    second = &locks[0];
  }
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);  // ERROR(deadlock)!
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
  return unused;
}

static void *in_order(void *unused) {
  pthread_mutex_lock(&locks[0]);
  pthread_mutex_lock(&locks[1]);  // ERROR(deadlock)?
  pthread_mutex_unlock(&locks[1]);
  pthread_mutex_unlock(&locks[0]);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, by_input, 0);
  pthread_create(&second, 0, in_order, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
