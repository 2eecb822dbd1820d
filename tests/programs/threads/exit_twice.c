// VERDICT: findings
// Two threads call exit(): the second one waits, inside of it, for the process to end.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int started;

static void *worker(void *arg) {
  started++;
  exit(0);  // ERROR(thread-leak)?
  return arg;
}

int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], NULL, worker, NULL);  // ERROR(thread-leak)?
  pthread_create(&t[1], NULL, worker, NULL);  // ERROR(thread-leak)?
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  return 0;
}
