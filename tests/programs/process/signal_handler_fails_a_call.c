// A handler whose call fails changes errno, which the thread that it interrupts then looks at.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

static void closes(int number) {
  (void)number;
  close(-1);
}

static void *looks(void *arg) {
  errno = 0;
  sched_yield();
  assert(errno == 0);  // ERROR(assertion)!
  return arg;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, closes);
  pthread_create(&t, NULL, looks, NULL);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, NULL);
  return 0;
}
