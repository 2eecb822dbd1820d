// An error of a thread that has been alone for long is found where it is.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *nothing(void *unused) { return unused; }

int main(void) {
  pthread_t first;
  for (int n = 0; n < 200000; ++n) {
    pthread_mutex_lock(&lock);
    sum += n % 2;
    assert(sum != 60000);  // ERROR(assertion)!
    pthread_mutex_unlock(&lock);
  }
  pthread_create(&first, 0, nothing, 0);
  pthread_join(first, 0);
  return 0;
}
