#include <pthread.h>

#include "account.h"

static void *depositor(void *argument) {
  account_deposit(5);
  return argument;
}

static void *auditor(void *argument) {
  return account_balance() < 0 ? argument : 0;
}

int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, depositor, 0);
  pthread_create(&two, 0, auditor, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
