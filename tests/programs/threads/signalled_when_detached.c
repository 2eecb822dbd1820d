// The id of a detached thread ends with it: nothing keeps this one alive until the signal is sent.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void handle(int number) { (void)number; }

static void *works(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  signal(SIGUSR1, handle);
  pthread_create(&t, NULL, works, NULL);
  pthread_detach(t);
  pthread_kill(t, SIGUSR1);  // ERROR(thread-misuse)!
  pthread_exit(NULL);
}
