// The standard output is a pipe for a while; what is printed before and after goes to the terminal.
// VERDICT: clear
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *arg) {
  char byte;
  assert(read(ends[0], &byte, 1) == 1 && byte == 'x');
  return arg;
}

int main(void) {
  pthread_t t;
  printf("before\n");
  fflush(stdout);
  pipe(ends);
  int terminal = dup(1);
  dup2(ends[1], 1);
  pthread_create(&t, NULL, reader, NULL);
  write(1, "x", 1);
  dup2(terminal, 1);
  printf("after\n");
  pthread_join(t, NULL);
  return 0;
}
