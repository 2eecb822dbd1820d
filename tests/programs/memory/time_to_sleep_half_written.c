// The nanoseconds of a sleep were never written.
#include <pthread.h>
#include <time.h>

static void *sleeps(void *arg) {
  struct timespec time;
  time.tv_sec = 0;
  nanosleep(&time, NULL);  // ERROR(uninitialised-read)!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sleeps, NULL);
  pthread_join(t, NULL);
  return 0;
}
