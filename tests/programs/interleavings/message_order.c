// Two messages through two slots arrive in either order.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int log_[2], length;

static void *sender(void *arg) {
  log_[atomic_fetch_add(&length, 1)] = *(int *)arg;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, sender, &one);
  pthread_create(&b, NULL, sender, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(log_[0] == 1);  // ASSERT!
  return 0;
}
