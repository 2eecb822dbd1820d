// The buffer of standard output is a local variable of a thread that has returned. Text still lies in it.
#include <pthread.h>
#include <stdio.h>

static void *prints(void *arg) {
  char buffer[256];
  setbuffer(stdout, buffer, sizeof buffer);
  fputs("hello", stdout);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, prints, NULL);
  pthread_join(thread, NULL);
  fflush(stdout);  // ERROR(use-after-free)!
  return 0;
}
