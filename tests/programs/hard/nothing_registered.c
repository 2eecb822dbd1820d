// VERDICT: inconclusive
// SAYS: main starts no thread
// A table of what the threads do, which nobody has filled.
#include <pthread.h>

static void *(*jobs[4])(void *);
static int count;

int main(void) {
  pthread_t threads[4];
  for (int i = 0; i < count; i++) pthread_create(&threads[i], 0, jobs[i], 0);
  for (int i = 0; i < count; i++) pthread_join(threads[i], 0);
  return 0;
}
