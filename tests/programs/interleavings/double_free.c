// Both threads see the pointer before either clears it.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *buffer;

static void *cleaner(void *arg) {
  pthread_mutex_lock(&m);
  char *mine = buffer;
  pthread_mutex_unlock(&m);
  if (mine) {
    free(mine);  // ERROR(double-free)! RACE?
    pthread_mutex_lock(&m);
    buffer = NULL;
    pthread_mutex_unlock(&m);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  buffer = malloc(16);
  pthread_create(&a, NULL, cleaner, NULL);
  pthread_create(&b, NULL, cleaner, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
