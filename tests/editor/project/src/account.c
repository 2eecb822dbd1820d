#include "account.h"

#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

void account_deposit(int amount) {
  pthread_mutex_lock(&lock);
  balance += amount;
  pthread_mutex_unlock(&lock);
}

int account_balance(void) {
  pthread_mutex_lock(&lock);
  int result = balance;
  pthread_mutex_unlock(&lock);
  return result;
}
