// VERDICT: clear
// A loop that looks for a file ends when another thread makes it.
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <unistd.h>

static void *makes(void *arg) {
  close(open("ready", O_CREAT | O_WRONLY, 0600));
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, makes, NULL);
  while (access("ready", F_OK) != 0) sched_yield();
  pthread_join(t, NULL);
  return 0;
}
