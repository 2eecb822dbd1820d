// Both writes race with the read; the error needs the first one alone.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int value;

static void *work(void *arg) {
  value = 1;  // RACE!
  value = 0;  // RACE!
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  int seen = value;   // RACE!
  assert(seen == 0);  // ERROR(assertion)!
  pthread_join(thread, NULL);
  return 0;
}
