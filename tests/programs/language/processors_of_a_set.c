// VERDICT: clear
// How many processors there are, as CPU_COUNT says.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sched.h>

static void *counts(void *arg) {
  cpu_set_t set, one;
  CPU_ZERO(&one);
  CPU_SET(65, &one);
  assert(CPU_COUNT(&one) == 1);
  if (sched_getaffinity(0, sizeof set, &set) == 0) assert(CPU_COUNT(&set) == 2);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, counts, NULL);
  pthread_join(thread, NULL);
  return 0;
}
