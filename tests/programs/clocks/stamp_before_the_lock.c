// The time is read outside the lock, so the events need not arrive in the order of their times. The verdict says what
// is not explored: the other order of two times that nothing orders.
// SAYS: one order of the two times is explored
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timespec newest;

static void *worker(void *unused) {
  struct timespec mine;
  timespec_get(&mine, TIME_UTC);
  pthread_mutex_lock(&lock);
  assert(mine.tv_sec > newest.tv_sec || (mine.tv_sec == newest.tv_sec && mine.tv_nsec >= newest.tv_nsec));  // ERROR(assertion)!
  newest = mine;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  for (int n = 0; n < 2; n++) pthread_create(&threads[n], NULL, worker, NULL);
  for (int n = 0; n < 2; n++) pthread_join(threads[n], NULL);
  return 0;
}
