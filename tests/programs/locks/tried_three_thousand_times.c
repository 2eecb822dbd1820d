// VERDICT: clear
// It gives up after three thousand tries, and only then is the mutex given back.
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *tries(void *arg) {
  for (int i = 0; i < 3000; i++) {
    if (pthread_mutex_trylock(&m) == 0) {
      pthread_mutex_unlock(&m);
      break;
    }
    usleep(1);
  }
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_mutex_lock(&m);
  pthread_create(&thread, NULL, tries, NULL);
  pthread_join(thread, NULL);
  pthread_mutex_unlock(&m);
  return 0;
}
