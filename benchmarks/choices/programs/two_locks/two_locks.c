// A data race under two locks: who holds one keeps nobody from the access under the other.
#include <pthread.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
static int shared;

static void* other(void* unused) {
  pthread_mutex_lock(&right);
  shared = 2;
  pthread_mutex_unlock(&right);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  pthread_mutex_lock(&left);
  shared = 1;
  pthread_mutex_unlock(&left);
  pthread_join(thread, 0);
  return 0;
}
