// Each step is locked, the two together are not atomic: the balance goes below zero.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int read_balance(void) {
  pthread_mutex_lock(&m);
  int value = balance;
  pthread_mutex_unlock(&m);
  return value;
}

static void *withdraw(void *arg) {
  if (read_balance() >= 80) {
    pthread_mutex_lock(&m);
    balance -= 80;
    assert(balance >= 0);  // ASSERT!
    pthread_mutex_unlock(&m);
  }
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
