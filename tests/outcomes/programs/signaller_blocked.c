// The waiter keeps a lock that the thread which would signal needs: a deadlock, not a lost signal. If the signaller
// comes first all is well.
// OUTCOME: stuck, prints ""
// OUTCOME: exit 0, prints "done"
// FINDINGS: deadlock
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t table = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void* give(void* p) {
  pthread_mutex_lock(&table);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&table);
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, give, 0);
  pthread_mutex_lock(&table);
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&table);
  pthread_join(t, 0);
  printf("done");
  return 0;
}
