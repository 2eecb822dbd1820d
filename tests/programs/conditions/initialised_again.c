// Somebody waits for the condition that is initialised.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, ready;

static void *waits(void *arg) {
  pthread_mutex_lock(&lock);
  waiting = 1;
  while (!ready) pthread_cond_wait(&changed, &lock);  // ERROR(lock-misuse)?
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, waits, NULL);
  pthread_mutex_lock(&lock);
  if (waiting) pthread_cond_init(&changed, NULL);  // ERROR(lock-misuse)!
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
