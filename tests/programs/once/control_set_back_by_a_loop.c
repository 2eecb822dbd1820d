// The bytes of a control are cleared one by one: it is a new one, so its initialiser runs a second time.
#include <assert.h>
#include <pthread.h>

static union {
  pthread_once_t control;
  char bytes[sizeof(pthread_once_t)];
} start;
static int ran;

static void run(void) { ran++; }

static void *worker(void *unused) {
  pthread_once(&start.control, run);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_join(thread, NULL);
  for (unsigned n = 0; n < sizeof start.bytes; n++) start.bytes[n] = 0;
  pthread_once(&start.control, run);
  assert(ran == 1);  // ERROR(assertion)!
  return 0;
}
