// VERDICT: clear
// STATS: executions=1
// Two threads print, and no standard descriptor is led to a file: printing is no use of files.
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static void *prints(void *arg) {
  for (int n = 0; n < 4; n++) printf("%d\n", n);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, prints, NULL);
  prints(NULL);
  pthread_join(t, NULL);
  return 0;
}
