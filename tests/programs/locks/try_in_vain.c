// Who joins the thread whose try was in vain knows that the other one has written, but nothing orders the two.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int written, enough = 1;

static void *tries(void *arg) {
  if (pthread_mutex_trylock(&lock) == 0) {
    assert(enough >= 4);  // ERROR(assertion)!
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

static void *writes(void *arg) {
  written = 1;  // ERROR(data-race)!
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, tries, NULL);
  pthread_create(&second, NULL, writes, NULL);
  pthread_detach(second);
  pthread_join(first, NULL);
  return written;  // ERROR(data-race)!
}
