// Standard output is a file: another descriptor sees what was printed, and what was not yet.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static void *prints(void *arg) {
  puts("x");
  fflush(stdout);
  return arg;
}

int main(void) {
  pthread_t t;
  char c;
  int file = open("f", O_CREAT | O_RDWR, 0600);
  dup2(file, 1);
  pthread_create(&t, NULL, prints, NULL);
  ssize_t seen = pread(file, &c, 1, 0);
  pthread_join(t, NULL);
  assert(seen == 0);  // ERROR(assertion)!
  return 0;
}
