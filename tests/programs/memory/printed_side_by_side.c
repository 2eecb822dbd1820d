// What is read ends where what is written begins: a buffer in two halves, a cut tail, nothing written at all.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char both[16] = "abc\0....rest";

static void *worker(void *arg) {
  snprintf(both + 4, 12, "%s", both);
  snprintf(both + 8, 8, "%.4s", both + 4);
  const int needed = snprintf(both, 0, "%s", both);
  assert(needed == 3);
  strncat(both + 4, both + 8, 0);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  assert(strcmp(both + 8, "abc") == 0);
  return 0;
}
