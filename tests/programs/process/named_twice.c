// Both name the first thread: which name stays depends on the order.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

static void *names(void *arg) {
  pthread_setname_np(*(pthread_t *)arg, "b");
  return NULL;
}

int main(void) {
  pthread_t t, self = pthread_self();
  char name[16];
  pthread_create(&t, NULL, names, &self);
  pthread_setname_np(self, "a");
  pthread_join(t, NULL);
  pthread_getname_np(self, name, sizeof name);
  assert(strcmp(name, "b") == 0);  // ERROR(assertion)!
  return 0;
}
