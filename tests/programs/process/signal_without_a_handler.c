// No handler is set anywhere: the default action of the signal ends the process, if it finds the thread alive.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static int done;

static void *works(void *arg) {
  done = 1;  // ERROR(abort)?
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);  // ERROR(abort)!
  pthread_kill(t, SIGTERM);
  pthread_join(t, NULL);
  return done - 1;
}
