// VERDICT: clear
// A handler that gives errno back, and one that comes where nothing looks at it.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

static void closes(int number) {
  const int kept = errno;
  (void)number;
  close(-1);
  errno = kept;
}

static void *looks(void *arg) {
  errno = 0;
  sched_yield();
  assert(errno == 0);
  close(-1);
  assert(errno == EBADF);
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
