// The scan of the arguments starts again while another thread looks where it stands.
#define _GNU_SOURCE
#include <pthread.h>
#include <unistd.h>

static void* worker(void* arg) {
  optind = 1;  // RACE!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  if (optind > 3) return 1;  // RACE?
  pthread_join(t, 0);
  return 0;
}
