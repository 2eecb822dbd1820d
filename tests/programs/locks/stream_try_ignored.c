// ftrylockfile fails while another thread prints in between, and the result is not looked at.
#include <pthread.h>
#include <stdio.h>

static int lines;

static void *counts(void *arg) {
  flockfile(stdout);
  lines++;  // RACE?
  puts("one");
  funlockfile(stdout);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, counts, NULL);
  ftrylockfile(stdout);
  lines++;  // RACE!
  funlockfile(stdout);  // ERROR(lock-misuse)?
  pthread_join(t, NULL);
  return 0;
}
