// Producer and consumers wait on one condition variable, and a signal wakes the wrong one.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int count;

static void *consumer(void *arg) {
  pthread_mutex_lock(&m);
  while (count == 0) pthread_cond_wait(&changed, &m);  // ERROR(lost-signal)!
  count--;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&m);
  return arg;
}

static void *producer(void *arg) {
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    while (count == 1) pthread_cond_wait(&changed, &m);  // ERROR(lost-signal)?
    count++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
  }
  return arg;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, NULL, consumer, NULL);
  pthread_create(&b, NULL, consumer, NULL);
  pthread_create(&c, NULL, producer, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  return 0;
}
