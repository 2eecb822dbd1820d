// The stream keeps the buffer that the thread gave it and has freed.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *prints(void *arg) {
  char *buffer = malloc(64);
  if (buffer == NULL) return arg;
  setvbuf(stdout, buffer, _IOFBF, 64);
  printf("hello");
  free(buffer);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, prints, NULL);
  pthread_join(thread, NULL);
  printf("again\n");  // ERROR(use-after-free)!
  fflush(stdout);
  return 0;
}
