// An address that travels through a pipe: who receives it frees what the sender still writes.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

int ends[2];

void *receiver(void *p) {
  int *q;
  if (read(ends[0], &q, sizeof q) != sizeof q) return p;
  int seen = *q;  // RACE!
  free(q);  // RACE?
  return seen == 7 ? p : 0;
}

int main(void) {
  pthread_t t;
  if (pipe(ends) != 0) return 0;
  pthread_create(&t, 0, receiver, 0);
  int *q = malloc(sizeof *q);
  *q = 5;
  if (write(ends[1], &q, sizeof q) != sizeof q) return 0;
  *q = 6;  // RACE! ERROR(use-after-free)!
  pthread_join(t, 0);
  return 0;
}
