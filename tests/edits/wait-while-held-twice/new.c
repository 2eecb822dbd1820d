#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *makes(void *arg) {
  pthread_mutex_lock(&lock);  // ERROR(deadlock)?
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return arg;
}

static void waits(void) {
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&changed, &lock);  // ERROR(deadlock)!
  pthread_mutex_unlock(&lock);
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, makes, NULL);
  pthread_mutex_lock(&lock);
  waits();
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
