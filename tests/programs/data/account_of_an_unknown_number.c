// Each account has a mutex of its own; which account it is, is unknown.
// SETTINGS: unknown-data: symbolic
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct account { int balance; pthread_mutex_t mutex; };
static struct account all[3] = {
  {100, PTHREAD_MUTEX_INITIALIZER}, {100, PTHREAD_MUTEX_INITIALIZER}, {100, PTHREAD_MUTEX_INITIALIZER}};
static void *pay(void *p) {
  unsigned to = __VERIFIER_nondet_uint();
  if (to > 2) return p;
  pthread_mutex_lock(&all[to].mutex);
  all[to].balance += 5;
  pthread_mutex_unlock(&all[to].mutex);
  return p;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, pay, 0);
  pay(0);
  pthread_join(a, 0);
  int sum = all[0].balance + all[1].balance + all[2].balance;
  assert(sum == 310 || sum == 305 || sum == 300);
  return 0;
}
