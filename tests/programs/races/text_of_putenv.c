// What putenv is given is a part of the environment.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static char own[] = "A=b";

static void* worker(void* arg) {
  own[2] = 'c';  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  putenv(own);
  pthread_create(&t, 0, worker, 0);
  puts(getenv("A"));  // RACE?
  pthread_join(t, 0);
  return 0;
}
