// A time that reaches a thread is no later than what the thread reads then: by a mutex, a read-write lock, a pipe of
// two atomic words, relaxed or not, or a barrier. Each of the threads slept for another time before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static long guarded;
static _Atomic long relaxed, full;

static long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void *stamps(void *unused) {
  usleep(250000);
  pthread_rwlock_wrlock(&lock);
  guarded = now();
  pthread_rwlock_unlock(&lock);
  atomic_store_explicit(&relaxed, now(), memory_order_relaxed);
  sleep(1);
  atomic_exchange(&full, now());
  return unused;
}

static void *passes_on(void *unused) {
  const long seen = atomic_load(&full);
  assert(seen == 0 || now() > seen);
  return unused;
}

int main(void) {
  pthread_t writer, reader;
  pthread_create(&writer, NULL, stamps, NULL);
  pthread_create(&reader, NULL, passes_on, NULL);
  pthread_rwlock_rdlock(&lock);
  const long first = guarded;
  pthread_rwlock_unlock(&lock);
  assert(now() >= first);
  const long second = atomic_load_explicit(&relaxed, memory_order_relaxed);
  assert(now() >= second);
  pthread_join(reader, NULL);
  pthread_join(writer, NULL);
  assert(now() >= full);
  return 0;
}
