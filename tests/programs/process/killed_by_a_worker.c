// A signal that nobody handles ends the process, whoever it reaches: here a thread at its end.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void *works(void *arg) { return arg; }

static void nothing(int number) { (void)number; }

int main(void) {
  pthread_t t;
  signal(SIGUSR1, nothing);
  pthread_create(&t, NULL, works, NULL);  // ERROR(abort)!
  pthread_kill(t, SIGUSR2);
  pthread_join(t, NULL);
  return 0;
}
