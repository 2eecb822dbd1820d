// Before any thread runs, in every interleaving, main decides on what was never written. That the race behind it was not
// searched for belongs to the verdict.
// SAYS: no interleaving that was explored comes to a regular end
#include <pthread.h>
#include <stdlib.h>

static int total;

static void *count(void *unused) {
  ++total;
  return unused;
}

int main(void) {
  int *length = malloc(sizeof *length);
  if (*length > 4) total = 1;  // ERROR(uninitialised-read)!
  pthread_t first, second;
  pthread_create(&first, NULL, count, NULL);
  pthread_create(&second, NULL, count, NULL);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  free(length);
  return 0;
}
