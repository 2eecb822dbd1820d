// VERDICT: clear
// STATS: executions=1
// Only one thread makes files.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

static int beside;

static void *counts(void *arg) {
  beside++;
  return arg;
}

int main(void) {
  pthread_t t;
  struct stat s;
  pthread_create(&t, NULL, counts, NULL);
  assert(umask(077) == 022);
  int f = open("f", O_CREAT | O_WRONLY, 0666);
  fstat(f, &s);
  close(f);
  assert((s.st_mode & 0777) == 0600);
  pthread_join(t, NULL);
  return beside - 1;
}
