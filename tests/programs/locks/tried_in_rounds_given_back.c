// VERDICT: clear
// Both try in rounds of two thousand tries, and both give the mutex back.
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int present;

static void enter(void) {
  while (true) {
    int result;
    for (int i = 0; (result = pthread_mutex_trylock(&m)) != 0 && i < 2000; i++) usleep(1);
    if (result == 0) break;
  }
}
static void *put(void *arg) {
  enter();
  present = 1;
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, put, NULL);
  pthread_create(&b, NULL, put, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
