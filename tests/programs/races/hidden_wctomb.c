// The same for the older functions.
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>

static void *calls(void *arg) {
  char to[16]; wctomb(to, L'a');  // RACE!
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, calls, NULL);
  pthread_create(&t[1], NULL, calls, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
