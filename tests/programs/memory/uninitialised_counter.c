// A counter that starts with nothing: adding to it does not write it.
#include <pthread.h>

struct totals {
  int seen, lost;
};
static int reached;

static void *counts(void *arg) {
  struct totals totals;
  const int *values = arg;
  totals.lost = 0;
  for (int n = 0; n < 3; ++n) {
    totals.seen += values[n];
    totals.lost += values[n] == 0;
  }
  if (totals.seen > 5) reached = 1;  // ERROR(uninitialised-read)!
  return totals.lost ? arg : NULL;
}

int main(void) {
  pthread_t t;
  int values[3] = {1, 2, 3};
  pthread_create(&t, NULL, counts, values);
  pthread_join(t, NULL);
  return reached > 1;
}
