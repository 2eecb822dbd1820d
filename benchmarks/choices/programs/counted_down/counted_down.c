// A count from two to zero: it is not reached before both threads have counted.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int left = 2;
static int data[2];

static void* work(void* argument) {
  int* own = argument;
  *own = 1;
  pthread_mutex_lock(&lock);
  left--;
  if (left == 0) pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], 0, work, &data[i]);
  pthread_mutex_lock(&lock);
  while (left > 0) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  assert(data[0] + data[1] == 2);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], 0);
  return 0;
}
