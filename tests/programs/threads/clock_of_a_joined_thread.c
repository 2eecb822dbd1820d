// A thread that was joined has no clock any more.
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static void *works(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  clockid_t clock;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  return pthread_getcpuclockid(t, &clock);  // ERROR(thread-misuse)!
}
