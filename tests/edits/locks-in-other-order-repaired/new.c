// VERDICT: clear
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t log_lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;
static int entries;

static void *deposit(void *arg) {
  int amount = 10;
  pthread_mutex_lock(&lock);
  balance += amount;
  pthread_mutex_lock(&log_lock);
  entries++;
  pthread_mutex_unlock(&log_lock);
  pthread_mutex_unlock(&lock);
  return arg;
}

static void *withdraw(void *arg) {
  int amount = 20;
  pthread_mutex_lock(&lock);
  if (balance >= amount) balance -= amount;
  assert(balance >= 0);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, deposit, NULL);
  pthread_create(&b, NULL, withdraw, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
