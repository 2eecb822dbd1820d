// The same by a function of numbers.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

static void converts(int number) {
  (void)number;
  strtol("99999999999999999999", NULL, 10);
}

static void *looks(void *arg) {
  errno = 0;
  const long value = strtol("12", NULL, 10);
  assert(errno == 0 && value == 12);  // ERROR(assertion)!
  return arg;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, converts);
  pthread_create(&t, NULL, looks, NULL);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, NULL);
  return 0;
}
