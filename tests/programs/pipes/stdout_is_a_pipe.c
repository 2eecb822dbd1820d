// VERDICT: inconclusive
// SAYS: uses a stream on a pipe or a socket
// What printf writes goes to a pipe since dup2(): the path ends there, and no deadlock of the reader is claimed.
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *arg) {
  printf("x");
  fflush(stdout);
  return arg;
}

int main(void) {
  pthread_t t;
  char byte;
  pipe(ends);
  dup2(ends[1], 1);
  pthread_create(&t, NULL, writer, NULL);
  read(ends[0], &byte, 1);
  pthread_join(t, NULL);
  return 0;
}
