// A write to a private block moves behind the call that frees it.
#include <pthread.h>
#include <stdlib.h>

static void *work(void *unused) {
  int *count = malloc(sizeof *count);
  if (!count) return unused;
  *count = 1;
  free(count);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  pthread_join(thread, 0);
  return 0;
}
