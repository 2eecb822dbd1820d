// memccpy moves a field by one place within its line.
#define _GNU_SOURCE
#include <pthread.h>
#include <string.h>

static char line[32] = "name:value";

static void *worker(void *arg) {
  memccpy(line + 1, line, ':', 10);  // ERROR(out-of-bounds)!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  return 0;
}
