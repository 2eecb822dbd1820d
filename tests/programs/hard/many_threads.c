// VERDICT: clear
// Ten threads that share nothing.
#include <pthread.h>

static int results[10];

static void *worker(void *arg) {
  *(int *)arg = 1;
  return NULL;
}

int main(void) {
  pthread_t threads[10];
  int sum = 0;
  for (int i = 0; i < 10; i++) pthread_create(&threads[i], NULL, worker, &results[i]);
  for (int i = 0; i < 10; i++) {
    pthread_join(threads[i], NULL);
    sum += results[i];
  }
  return sum != 10;
}
