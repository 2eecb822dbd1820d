// VERDICT: clear
// What the lock of a stream guards: it is recursive, each function of the stream takes it, and a try may fail.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int lines;

static void line(const char *text) {
  flockfile(stdout);
  printf("%d ", lines++);
  flockfile(stdout);
  puts(text);
  funlockfile(stdout);
  putchar_unlocked('\n');
  funlockfile(stdout);
}

static void *worker(void *arg) {
  line("one");
  fputs("two", stderr);
  if (ftrylockfile(stdout) == 0) {
    lines++;
    funlockfile(stdout);
  }
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  line("three");
  fprintf(stderr, "%s", "four");
  pthread_join(t, NULL);
  assert(lines >= 2);
  return 0;
}
