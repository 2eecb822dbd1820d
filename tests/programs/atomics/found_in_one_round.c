// A thread looks at a flag at most twenty times, and must not see it set in one of them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *worker(void *arg) {
  atomic_store(&flag, 1);
  return arg;
}

int main(void) {
  pthread_t t;
  int i;
  pthread_create(&t, NULL, worker, NULL);
  for (i = 0; i < 20; i++)
    if (atomic_load(&flag)) break;
  assert(i != 14);  // ERROR(assertion)!
  pthread_join(t, NULL);
  return 0;
}
