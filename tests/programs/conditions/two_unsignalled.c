// One condition that nobody signals; beside it one that only those who wait for it would signal.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER, passed_on = PTHREAD_COND_INITIALIZER;
static int first_ready, second_ready;

static void *waits(void *arg) {
  pthread_mutex_lock(&first_lock);
  while (!first_ready) pthread_cond_wait(&never, &first_lock);  // ERROR(lost-signal)!
  pthread_mutex_unlock(&first_lock);
  return arg;
}

static void *passes_on(void *arg) {
  pthread_mutex_lock(&second_lock);
  while (!second_ready) pthread_cond_wait(&passed_on, &second_lock);
  pthread_cond_signal(&passed_on);
  pthread_mutex_unlock(&second_lock);
  return arg;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, waits, NULL);
  pthread_create(&threads[1], NULL, passes_on, NULL);
  pthread_create(&threads[2], NULL, passes_on, NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  return 0;
}
