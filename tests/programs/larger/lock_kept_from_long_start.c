// Steps of a thread that is alone are none of the interleaving, but what they leave is.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { kRounds = 152000 };
static atomic_int made;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, counting = PTHREAD_MUTEX_INITIALIZER;

static void *take(void *unused) {
  assert(atomic_load(&made) == kRounds);
  pthread_mutex_lock(&lock);  // ERROR(deadlock)!
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t first;
  for (int n = 0; n < kRounds; ++n) {
    pthread_mutex_lock(&counting);
    atomic_fetch_add(&made, 1);
    pthread_mutex_unlock(&counting);
    if (n == kRounds / 2) pthread_mutex_lock(&lock);
  }
  pthread_create(&first, 0, take, 0);
  pthread_join(first, 0);  // ERROR(deadlock)!
  return 0;
}
