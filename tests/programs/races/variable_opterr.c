// Messages of getopt are switched off while it runs.
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

static char* words[] = {"program", "-a", "b", 0};

static void* worker(void* arg) {
  opterr = 0;  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  getopt(3, words, "a:");  // RACE?
  pthread_join(t, 0);
  return 0;
}
