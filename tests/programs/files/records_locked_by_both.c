// Locks of records are of a process: they do not exclude its threads.
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static int file, count;

static void *counts(void *arg) {
  struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(file, F_SETLKW, &whole) == 0) count++;  // RACE!
  whole.l_type = F_UNLCK;
  fcntl(file, F_SETLK, &whole);
  return arg;
}

int main(void) {
  pthread_t t;
  file = open("f", O_CREAT | O_RDWR, 0600);
  pthread_create(&t, NULL, counts, NULL);
  counts(NULL);
  pthread_join(t, NULL);
  return 0;
}
