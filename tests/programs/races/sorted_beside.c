// The call of qsort() is itself the statement that races: made a scheduling point, it still comes to its end.
#include <pthread.h>
#include <stdlib.h>

static int values[3] = {3, 1, 2};

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void *sort(void *unused) {
  qsort(values, 3, sizeof *values, compare);  // RACE!
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, sort, 0);
  const int first = values[0];  // RACE!
  pthread_join(thread, 0);
  return first == 7;
}
