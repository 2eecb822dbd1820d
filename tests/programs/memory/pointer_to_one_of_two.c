// One of the two variables that the pointer may be set to was never written.
#include <pthread.h>
#include <stdlib.h>

static int read_one(int which) {
  int written = 1, never;
  const int *chosen = which > 1 ? &never : &written;
  return *chosen == 9;  // ERROR(uninitialised-read)!
}

static void *chooses(void *arg) { return read_one(2) ? arg : NULL; }

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, chooses, NULL);
  pthread_join(t, NULL);
  return 0;
}
