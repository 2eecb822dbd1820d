// exit() in one thread runs the handler while main goes on.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int *total;

static void clean(void) { free(total); }  // RACE!

static void *ends(void *arg) {
  exit(0);
  return arg;
}

int main(void) {
  pthread_t t;
  total = calloc(1, sizeof *total);
  atexit(clean);
  pthread_create(&t, NULL, ends, NULL);
  int seen = *total;  // RACE? ERROR(use-after-free)?
  printf("%d\n", seen);
  pthread_join(t, NULL);
  return 0;
}
