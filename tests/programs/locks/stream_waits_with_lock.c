// The stream is locked for as long as a thread waits for another that writes to it.
#include <pthread.h>
#include <stdio.h>

static void *writes(void *arg) {
  fputc('x', arg);  // DEADLOCK?
  return arg;
}

int main(void) {
  pthread_t t;
  FILE *file = fopen("f", "w");
  if (!file) return 1;
  flockfile(file);
  pthread_create(&t, NULL, writes, file);
  pthread_join(t, NULL);  // DEADLOCK!
  funlockfile(file);
  fclose(file);
  return 0;
}
