// The environment is replaced while another thread asks it.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static char* own[] = {0};

static void* worker(void* arg) {
  environ = own;  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  getenv("A");  // RACE?
  pthread_join(t, 0);
  return 0;
}
