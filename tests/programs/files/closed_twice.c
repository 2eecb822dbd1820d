// VERDICT: inconclusive
// SAYS: natively another thread may have been given the number
// The second close may be of the file that the other thread has opened meanwhile. Threads have numbers of their own
// here, so that is a limit.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static void *opens(void *arg) {
  int file = open("b", O_CREAT | O_RDWR, 0600);
  assert(write(file, "x", 1) == 1);
  close(file);
  return arg;
}

int main(void) {
  pthread_t t;
  int file = open("a", O_CREAT | O_RDWR, 0600);
  pthread_create(&t, NULL, opens, NULL);
  close(file);
  close(file);
  pthread_join(t, NULL);
  return 0;
}
