// The main thread ends before the process does: what only its variables point to is lost.
#include <pthread.h>
#include <stdlib.h>

static void *fill(void *arg) {
  *(int *)arg = 1;
  return NULL;
}

int main(void) {
  pthread_t t;
  int *value = malloc(sizeof *value);  // ERROR(leak)!
  pthread_create(&t, NULL, fill, value);
  pthread_join(t, NULL);
  pthread_exit(NULL);
}
