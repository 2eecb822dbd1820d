// VERDICT: clear
// Check and act in one critical section.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static void *withdraw(void *arg) {
  pthread_mutex_lock(&m);
  if (balance >= 80) balance -= 80;
  assert(balance >= 0);
  pthread_mutex_unlock(&m);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, withdraw, NULL);
  pthread_create(&b, NULL, withdraw, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
