// An index is checked in one critical section and used in another.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int items[2];
static int used = 1;

static void *append(void *arg) {
  pthread_mutex_lock(&m);
  int room = used < 2;
  pthread_mutex_unlock(&m);
  if (room) {
    pthread_mutex_lock(&m);
    items[used++] = 5;  // ERROR(out-of-bounds)!
    pthread_mutex_unlock(&m);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, append, NULL);
  pthread_create(&b, NULL, append, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
