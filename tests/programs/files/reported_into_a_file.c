// As printed_into_a_file.c, by perror() and by warnx().
#include <assert.h>
#include <err.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static void *reports(void *arg) {
  perror("x");
  warnx("y");
  return arg;
}

int main(void) {
  pthread_t t;
  char text[64];
  int file = open("f", O_CREAT | O_RDWR, 0600);
  dup2(file, 2);
  pthread_create(&t, NULL, reports, NULL);
  ssize_t seen = pread(file, text, sizeof text, 0);
  pthread_join(t, NULL);
  assert(seen == 0 || pread(file, text, sizeof text, 0) == seen);  // ERROR(assertion)!
  return 0;
}
