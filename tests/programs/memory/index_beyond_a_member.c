// SAYS: uses index 4 of 'job.done', an array of 4 elements
// An index beyond an array that is a member: its structure continues behind it.
#include <pthread.h>

static struct {
  int done[4];
  int count;
} job;

static void *works(void *p) {
  for (int i = 0; i <= 4; i++) job.done[i] = 1;  // ERROR(out-of-bounds)!
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, works, NULL);
  pthread_join(t, NULL);
  return job.count != 0;
}
