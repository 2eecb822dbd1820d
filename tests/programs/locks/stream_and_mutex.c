// printf takes the lock of its stream: in the other order than the thread that has locked the stream itself.
// SAYS: mutex 'lock of stdout'
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *prints(void *arg) {
  pthread_mutex_lock(&m);
  printf("one\n");  // DEADLOCK?
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, prints, NULL);
  flockfile(stdout);
  pthread_mutex_lock(&m);  // DEADLOCK!
  puts("two");
  pthread_mutex_unlock(&m);
  funlockfile(stdout);
  pthread_join(t, NULL);
  return 0;
}
