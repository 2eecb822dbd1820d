// A function looks, its caller counts down, for each of two jobs; how many looks were left over decides.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flags[2];
static int left_over;

__attribute__((noinline)) static int is_set(int job) { return atomic_load(&flags[job]); }

static void *worker(void *arg) {
  atomic_store(&flags[1], 1);
  return arg;
}

int main(void) {
  pthread_t t;
  atomic_store(&flags[0], 1);
  pthread_create(&t, NULL, worker, NULL);
  for (int job = 0; job < 2; job++) {
    int left = 18;
    while (left > 0 && !is_set(job)) left--;
    left_over += left;
  }
  assert(left_over != 18 + 5);  // ERROR(assertion)!
  pthread_join(t, NULL);
  return 0;
}
