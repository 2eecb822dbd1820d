// A handler comes between a call that failed and the look at why.
// SAYS: send SIGUSR1 to worker 1 (opens)
// SAYS: SIGUSR1 interrupts worker 1 (opens) at line 16 and runs closes
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void closes(int number) { close(-number); }

static void *opens(void *arg) {
  const int number = open("/nowhere/at/all", O_RDONLY);
  if (number >= 0) return NULL;
  assert(errno == ENOENT);  // ERROR(assertion)!
  return arg;
}

int main(void) {
  pthread_t t;
  signal(SIGUSR1, closes);
  pthread_create(&t, NULL, opens, NULL);
  pthread_kill(t, SIGUSR1);
  pthread_join(t, NULL);
  return 0;
}
