// A writer that found nothing to do keeps the lock. A reader tries again in rounds of a thousand and a half, and pauses
// after each try.
#include <pthread.h>
#include <time.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int value;

static void *writes(void *arg) {
  pthread_rwlock_wrlock(&lock);
  if (value == 0) return arg;
  value = 2;
  pthread_rwlock_unlock(&lock);
  return arg;
}
static int read_locked(void) {
  const struct timespec pause = {0, 1000};
  for (unsigned round = 0;; round = (round + 1) % 8)
    for (int i = 0; i < 1500; i++) {
      if (pthread_rwlock_tryrdlock(&lock) == 0) return value;  // ERROR(deadlock|livelock)!
      nanosleep(&pause, NULL);
    }
}
static void *reads(void *arg) {
  read_locked();
  pthread_rwlock_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, writes, NULL);
  pthread_create(&b, NULL, reads, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);  // ERROR(deadlock|livelock)?
  return 0;
}
