// A spin lock has no initialiser: zeros are none, and on x86 they mean that it is locked.
#include <pthread.h>
#include <stddef.h>

static pthread_spinlock_t s;
static int count;

static void *counts(void *arg) {
  pthread_spin_lock(&s);  // ERROR(lock-misuse)!
  count++;
  pthread_spin_unlock(&s);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, counts, NULL);
  pthread_join(t, NULL);
  return count - 1;
}
