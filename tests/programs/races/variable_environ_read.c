// The environment is read while another thread sets a variable.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void* worker(void* arg) {
  if (__environ[0]) puts("x");  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  setenv("A", "b", 1);  // RACE?
  pthread_join(t, 0);
  return 0;
}
