// Two codes, but no interleaving in which the process succeeds.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int n;

static void *add(void *arg) {
  n = n + 1;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, add, 0);
  n = n + 1;
  pthread_join(t, 0);
  return n;
}
