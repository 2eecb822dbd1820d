// A thread waits in a loop for what nobody will change, with a lock held: nobody else can go on either.
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;

static void *waits(void *arg) {
  pthread_mutex_lock(&lock);
  while (atomic_load(&ready) == 0) {}  // ERROR(deadlock|livelock)!
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, waits, NULL);
  pthread_join(thread, NULL);
  return 0;
}
