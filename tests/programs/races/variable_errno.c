// errno is the thread's own, until another thread has its address.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int* place;
static pthread_barrier_t both;

static void* worker(void* arg) {
  place = &errno;
  pthread_barrier_wait(&both);
  close(77);  // RACE?
  return arg;  // RACE?
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&both, 0, 2);
  pthread_create(&t, 0, worker, 0);
  pthread_barrier_wait(&both);
  if (*place == EBADF) puts("x");  // RACE! ERROR(use-after-free)?
  pthread_join(t, 0);
  return 0;
}
