// VERDICT: clear
// A file that only one can make is a lock; who does not get it goes away.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int inside;

static void *enters(void *arg) {
  int file = open("lock", O_CREAT | O_EXCL | O_WRONLY, 0600);
  if (file < 0) return arg;
  assert(inside++ == 0);
  inside--;
  close(file);
  unlink("lock");
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, enters, NULL);
  enters(NULL);
  pthread_join(t, NULL);
  return 0;
}
