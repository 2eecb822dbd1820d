// The text for an unknown number is overwritten by the next one, while another thread reads it.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char* text;
static pthread_barrier_t both;

static void* worker(void* arg) {
  text = strsignal(777);
  pthread_barrier_wait(&both);
  strsignal(888);  // RACE?
  return arg;      // RACE?
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&both, 0, 2);
  pthread_create(&t, 0, worker, 0);
  pthread_barrier_wait(&both);
  puts(text);  // RACE! ERROR(use-after-free)?
  pthread_join(t, 0);
  return 0;
}
