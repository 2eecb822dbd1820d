// A write to a file moves behind the call that closes it.
#include <pthread.h>
#include <stdio.h>

static void *work(void *unused) {
  FILE *log = fopen("/tmp/log", "w");
  if (!log) return unused;
  fputs("begin", log);
  fclose(log);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
