// SAYS: no thread signals it again"
// Two items are taken, one is put: its signal did its duty, and the next one is missing.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items;

static void *puts_one(void *arg) {
  pthread_mutex_lock(&m);
  items++;
  pthread_cond_signal(&changed);  // ERROR(lost-signal)!
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, puts_one, NULL);
  for (int n = 0; n < 2; n++) {
    pthread_mutex_lock(&m);
    while (items == 0) pthread_cond_wait(&changed, &m);  // ERROR(lost-signal)!
    items--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&m);
  }
  pthread_join(t, NULL);
  return 0;
}
