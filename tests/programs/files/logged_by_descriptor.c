// dprintf() by both: either may be first.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static int file;

static void *logs(void *arg) {
  dprintf(file, "%s\n", (const char *)arg);
  return NULL;
}

int main(void) {
  pthread_t t;
  char first;
  file = open("log", O_CREAT | O_RDWR | O_APPEND, 0600);
  pthread_create(&t, NULL, logs, "a");
  logs("b");
  pthread_join(t, NULL);
  pread(file, &first, 1, 0);
  assert(first == 'b');  // ERROR(assertion)!
  return 0;
}
