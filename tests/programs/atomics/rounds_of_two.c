// Two threads look at a word at most twelve times, and write down how often; the test is at the end of the loop.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_long go;
static long counts[2];

static void *look(void *slot) {
  long n = 0;
  do {
    n += 2;
  } while (!atomic_load(&go) && n != 24);
  *(long *)slot = n;
  return slot;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, look, &counts[0]);
  pthread_create(&t[1], NULL, look, &counts[1]);
  atomic_store(&go, 1);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  assert(counts[0] != 22 || counts[1] != 20);  // ERROR(assertion)!
  return 0;
}
