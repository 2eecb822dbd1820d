// The signal may come before its handler is set, and then it ends the process.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void handles(int number) { (void)number; }

static void *sets(void *arg) {
  struct sigaction action = {.sa_handler = handles};
  sigaction(SIGUSR2, &action, NULL);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, sets, NULL);
  raise(SIGUSR2);  // ERROR(abort)!
  pthread_join(t, NULL);
  return 0;
}
