// VERDICT: inconclusive
// SAYS: in a wait for a descriptor or a message
// Without SA_RESTART read() would end with EINTR: that is not explored.
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static int ends[2];

static void handles(int number) { (void)number; }

static void *reads(void *p) {
  char byte;
  return read(ends[0], &byte, 1) == 1 ? p : NULL;
}

int main(void) {
  pthread_t t;
  struct sigaction action = {.sa_handler = handles};
  sigaction(SIGUSR1, &action, NULL);
  if (pipe(ends) != 0) return 1;
  pthread_create(&t, NULL, reads, NULL);
  pthread_kill(t, SIGUSR1);
  if (write(ends[1], "x", 1) != 1) return 1;
  pthread_join(t, NULL);
  return 0;
}
