// Two groups of threads that share nothing: an edit in one explores nothing of the other.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
static int left, right;

static void *count_left(void *arg) {
  pthread_mutex_lock(&m);
  left++;
  pthread_mutex_unlock(&m);
  return arg;
}

static void *count_right(void *arg) {
  for (int i = 0; i < 4; i++) {
    pthread_mutex_lock(&n);
    right++;
    pthread_mutex_unlock(&n);
  }
  return arg;
}

int main(void) {
  pthread_t a, b, c, d;
  pthread_create(&a, NULL, count_left, NULL);
  pthread_create(&b, NULL, count_left, NULL);
  pthread_create(&c, NULL, count_right, NULL);
  pthread_create(&d, NULL, count_right, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pthread_join(c, NULL);
  pthread_join(d, NULL);
  return 0;
}
