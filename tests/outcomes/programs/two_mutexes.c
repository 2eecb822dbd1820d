// Both threads wait for one condition variable with mutexes of their own. It is noticed when both wait at once; if the
// first was woken before the second waits, nothing is wrong.
// OUTCOME: lock-misuse, prints ""
// OUTCOME: exit 0, prints ""
// FINDINGS: lock-misuse
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER, f = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static int is_ready(void) {
  pthread_mutex_lock(&f);
  const int result = ready;
  pthread_mutex_unlock(&f);
  return result;
}

static void* wait(void* p) {
  pthread_mutex_t* mine = p;
  pthread_mutex_lock(mine);
  while (!is_ready()) pthread_cond_wait(&c, mine);
  pthread_mutex_unlock(mine);
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, wait, &m);
  pthread_create(&b, 0, wait, &n);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&n);
  pthread_mutex_lock(&f);
  ready = 1;
  pthread_mutex_unlock(&f);
  pthread_mutex_unlock(&n);
  pthread_mutex_unlock(&m);
  pthread_cond_broadcast(&c);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
