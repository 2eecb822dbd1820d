// Who signals ends without giving the mutex back: the waiter has its signal and waits for the mutex, no signal is lost.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *wait_for_it(void *arg) {
  pthread_mutex_lock(&lock);  // ERROR(deadlock)?
  while (!ready) pthread_cond_wait(&changed, &lock);  // ERROR(deadlock)!
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *tell(void *arg) {
  pthread_mutex_lock(&lock);  // ERROR(deadlock)?
  ready = 1;
  pthread_cond_signal(&changed);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, wait_for_it, NULL);
  pthread_create(&b, NULL, tell, NULL);
  pthread_join(a, NULL);  // ERROR(deadlock)?
  pthread_join(b, NULL);
  return 0;
}
