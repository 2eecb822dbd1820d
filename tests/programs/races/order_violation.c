// The thread may run before main has set the pointer it uses.
#include <pthread.h>
#include <stdlib.h>

static int *table;

static void *worker(void *arg) {
  table[0] = 1;  // RACE! ERROR(null-dereference)!
  return arg;
}

int main(void) {
  pthread_t t;
  int *memory = calloc(4, sizeof *memory);
  if (!memory) return 1;
  pthread_create(&t, NULL, worker, NULL);
  table = memory;  // RACE!
  pthread_join(t, NULL);
  free(memory);
  return 0;
}
