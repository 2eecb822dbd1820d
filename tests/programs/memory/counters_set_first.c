// VERDICT: clear
// What is added to was written, or is written before it decides something.
#include <pthread.h>
#include <string.h>

struct totals {
  int seen;
  double weight;
  char padding;
  long many[2];
};
static int reached;

static void *counts(void *arg) {
  struct totals totals, copy;
  const int *values = arg;
  int unused;
  memset(&totals, 0, sizeof totals);
  unused += 1;
  for (int n = 0; n < 3; ++n) {
    totals.seen += values[n];
    totals.weight += 0.5 * values[n];
    totals.many[n & 1] -= values[n];
    copy = totals;
    copy.seen++;
  }
  unused = 3;
  unused++;
  if (totals.seen > 5 && totals.weight > 1 && totals.many[0] < 0 && copy.seen > 5 && unused == 4) reached = 1;
  return NULL;
}

int main(void) {
  pthread_t t;
  int values[3] = {1, 2, 3};
  pthread_create(&t, NULL, counts, values);
  pthread_join(t, NULL);
  return reached != 1;
}
