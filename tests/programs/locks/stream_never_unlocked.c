// A thread ends and keeps the lock of the stream: nobody else can write to it any more.
#include <pthread.h>
#include <stdio.h>

static void *locks(void *arg) {
  flockfile(stderr);
  fputs("one", stderr);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, locks, NULL);
  pthread_join(t, NULL);
  fprintf(stderr, "%d", 2);  // DEADLOCK!
  return 0;
}
