// The test and set sees nothing of what was published.
// OPTIONS: --full --memory-model=rc11
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int count;

static void *work(void *unused) {
  while (atomic_flag_test_and_set_explicit(&busy, memory_order_relaxed)) {
  }
  count++;  // RACE!
  atomic_flag_clear_explicit(&busy, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t one, other;
  pthread_create(&one, 0, work, 0);
  pthread_create(&other, 0, work, 0);
  pthread_join(one, 0);
  pthread_join(other, 0);
  return 0;
}
