// A line is put together by printing it into itself.
#include <pthread.h>
#include <stdio.h>

static char line[64] = "begin";

static void *worker(void *arg) {
  snprintf(line, sizeof line, "%s, %d", line, 1);  // ERROR(out-of-bounds)!
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  puts(line);
  return 0;
}
