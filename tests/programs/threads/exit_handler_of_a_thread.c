// A thread makes the handler known, main runs it: a detached one still writes.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t known;
static int written;

static void last(void) { written++; }  // RACE!

static void *runs(void *arg) {
  atexit(last);
  sem_post(&known);
  written = 1;  // RACE?
  return arg;
}

int main(void) {
  pthread_t t;
  sem_init(&known, 0, 0);
  pthread_create(&t, NULL, runs, NULL);
  pthread_detach(t);
  sem_wait(&known);
  return 0;
}
