// VERDICT: findings
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int n;

static void *worker(void *arg) {
  pthread_mutex_lock(&m);
  n++;
  puts("one more");
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  pthread_cancel(t);
  pthread_join(t, NULL);
  pthread_mutex_lock(&m);  // ERROR(deadlock)!
  n--;
  pthread_mutex_unlock(&m);
  return 0;
}
