// What getopt says of an option is read while another thread asks it.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static char* words[] = {"program", "-a", "b", 0};

static void* worker(void* arg) {
  if (optarg) puts("x");  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  getopt(3, words, "a:");  // RACE?
  pthread_join(t, 0);
  return 0;
}
