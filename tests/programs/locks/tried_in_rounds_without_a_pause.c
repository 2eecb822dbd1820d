// The owner of the lock has ended. Rounds of 1,500 tries follow each other, with nothing between them.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *keeps(void *arg) {
  pthread_mutex_lock(&m);
  return arg;
}
static void *tries(void *arg) {
  for (;;) {
    int left = 1500;
    while (left > 0 && pthread_mutex_trylock(&m) != 0) --left;  // ERROR(deadlock|livelock)!
    if (left > 0) break;
  }
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, keeps, NULL);
  pthread_join(a, NULL);
  pthread_create(&b, NULL, tries, NULL);
  pthread_join(b, NULL);  // ERROR(deadlock|livelock)?
  return 0;
}
