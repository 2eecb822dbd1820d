// A function named __VERIFIER_atomic_* is one section, also where it calls another one: two increments in two steps each
// lose nothing, and an atomic update outside of both falls in no gap. Printed: what the update found, and the sum.
// OUTCOME: exit 0, prints "0 13"
// OUTCOME: exit 0, prints "1 13"
// OUTCOME: exit 0, prints "2 13"
// OUTCOME: exit 0, prints "3 13"
// GRAPHS END: an operation that has no place in execution graphs
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static atomic_int x;

static void __VERIFIER_atomic_step(int by) {
  int v = x;
  if (by == 0) return;
  x = v + by;
}
static void __VERIFIER_atomic_twice(void) {
  __VERIFIER_atomic_step(1);
  __VERIFIER_atomic_step(0);
  __VERIFIER_atomic_step(1);
}
static void *one(void *p) {
  __VERIFIER_atomic_step(1);
  return p;
}
static void *two(void *p) {
  __VERIFIER_atomic_twice();
  return p;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, one, 0);
  pthread_create(&t[1], 0, two, 0);
  int found = atomic_fetch_add(&x, 10) % 10;
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  printf("%d %d", found, x);
  return 0;
}
