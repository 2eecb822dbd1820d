// The name of a thread is looked at, which may have named itself by then.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

static atomic_int stop;

static void *works(void *arg) {
  pthread_setname_np(pthread_self(), "worker");
  while (!stop) continue;
  return arg;
}

int main(void) {
  pthread_t t;
  char name[16];
  pthread_create(&t, NULL, works, NULL);
  pthread_getname_np(t, name, sizeof name);
  stop = 1;
  pthread_join(t, NULL);
  assert(strcmp(name, "worker") != 0);  // ERROR(assertion)!
  return 0;
}
