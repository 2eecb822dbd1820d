// VERDICT: clear
// SAYS: no signal comes from outside the program
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static volatile sig_atomic_t stop;

static void ends(int number) {
  (void)number;
  stop = 1;
}

static void *work(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  alarm(60);  // ends the process if it hangs
  signal(SIGPIPE, SIG_IGN);
  signal(SIGTERM, ends);
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
  return stop;
}
