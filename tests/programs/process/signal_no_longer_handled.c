// Another thread takes the handler away: then the signal ends the process.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>

static void handles(int number) { (void)number; }

static void *resets(void *arg) {
  struct sigaction action = {.sa_handler = SIG_DFL};
  sigaction(SIGUSR2, &action, NULL);
  return arg;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR2, handles);
  pthread_create(&t, NULL, resets, NULL);
  raise(SIGUSR2);  // ERROR(abort)!
  pthread_join(t, NULL);
  return 0;
}
