// VERDICT: clear
// Each open gives a low number: tables of 64 are enough for a few files, and standard numbers are given again.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

static char used[64];

static void *makes_a_pipe(void *arg) {
  int ends[2];
  assert(pipe(ends) == 0 && ends[0] != ends[1]);
  used[ends[0]] = used[ends[1]] = 1;
  close(ends[0]);
  close(ends[1]);
  return arg;
}

int main(void) {
  pthread_t t;
  close(0);
  assert(open("f", O_CREAT | O_RDWR, 0600) == 0 && open("f", O_RDWR) == 3 && open("f", O_RDWR) == 4);
  pthread_create(&t, NULL, makes_a_pipe, NULL);
  pthread_join(t, NULL);
  return 0;
}
