// The path is shortened by printing its tail over it, with a precision.
#include <pthread.h>
#include <stdio.h>

static void *worker(void *arg) {
  char *path = arg;
  sprintf(path, "%.3s", path + 2);  // ERROR(out-of-bounds)!
  return arg;
}

int main(void) {
  pthread_t t;
  char path[16] = "/tmp/x";
  pthread_create(&t, NULL, worker, path);
  pthread_join(t, NULL);
  return 0;
}
