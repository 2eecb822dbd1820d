// VERDICT: clear
// One thread does far more than a path may have steps before a second one exists.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

enum { kRounds = 152000 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t places;
static atomic_int made;
static int sum;

static void *add(void *unused) {
  (void)unused;
  pthread_mutex_lock(&lock);
  sum += atomic_load(&made);
  pthread_mutex_unlock(&lock);
  sem_wait(&places);
  return 0;
}

int main(void) {
  pthread_t first, second;
  sem_init(&places, 0, 0);
  for (int n = 0; n < kRounds; ++n) {
    pthread_mutex_lock(&lock);
    sum = (sum + n) % 7;
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&made, 1);
  }
  sem_post(&places);
  sem_post(&places);
  pthread_create(&first, 0, add, 0);
  pthread_create(&second, 0, add, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return sum < 2 * kRounds;
}
