// VERDICT: clear
// STATS: executions=1
// Each thread names itself, and looks at its own name.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static void *works(void *arg) {
  char name[16];
  pthread_setname_np(pthread_self(), arg);
  pthread_getname_np(pthread_self(), name, sizeof name);
  assert(strcmp(name, arg) == 0);
  return NULL;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, "a");
  works("b");
  pthread_join(t, NULL);
  return 0;
}
