// VERDICT: clear
// The handler takes the lock that the others take, and _exit() runs none.
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void handler(void) {
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
}

static void *ends(void *arg) {
  exit(0);
  return arg;
}

int main(void) {
  pthread_t t;
  atexit(handler);
  pthread_create(&t, NULL, ends, NULL);
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
