// How often a loop looked at a flag in vain is not bounded.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *sets(void *arg) {
  flag = 1;
  return arg;
}

int main(void) {
  pthread_t t;
  int rounds = 0;
  pthread_create(&t, NULL, sets, NULL);
  while (!flag) rounds++;
  assert(rounds < 12);  // ERROR(assertion)!
  pthread_join(t, NULL);
  return 0;
}
