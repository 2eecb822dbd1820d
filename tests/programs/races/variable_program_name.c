// The name of the program changes while another thread reads it.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static void* worker(void* arg) {
  program_invocation_name = "x";  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  puts(program_invocation_name);  // RACE?
  pthread_join(t, 0);
  return 0;
}
