// VERDICT: findings
// main ends the process while one thread keeps the mutex for ever and the other one waits for it. What the second one
// can do when it comes first is not lost.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared, copy;

static void *keeps_it(void *arg) {
  pthread_mutex_lock(&m);
  copy = shared;  // RACE!
  return arg;
}

static void *gives_it_back(void *arg) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  shared = 1;  // RACE!
  pthread_mutex_lock(&m);  // ERROR(deadlock)?
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, keeps_it, NULL);       // ERROR(thread-leak)?
  pthread_create(&t[1], NULL, gives_it_back, NULL);  // ERROR(thread-leak)?
  return 0;
}
