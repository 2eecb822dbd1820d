// What a thread does after its count may come after what waits for the count.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int counted;
static int data;

static void* work(void* unused) {
  pthread_mutex_lock(&lock);
  counted++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  return data > 10 ? unused : 0;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, work, 0);
  pthread_create(&second, 0, work, 0);
  pthread_mutex_lock(&lock);
  while (counted < 2) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
  data = 5;
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
