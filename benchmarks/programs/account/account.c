// Account: managers move money between accounts.
// Models:     the Java programs account-race, account-deadlock and account-subtype of the thesis. The mended form: a
//             transfer takes both locks, in the order of the accounts.
// Threads:    main, ACCOUNTS managers (5 in the thesis).
// Size:       66 to 91 lines in Java.
// Parameters: ACCOUNTS.
// Scaled:     -DACCOUNTS=9
// State:      clear
#include <assert.h>
#include <pthread.h>

#ifndef ACCOUNTS
#define ACCOUNTS 3
#endif

enum Kind { kPersonal, kBusiness };

struct Account {
  pthread_mutex_t lock;
  enum Kind kind;
  int number;
  int amount;
};

static struct Account accounts[ACCOUNTS];

static void deposit(struct Account* account, int money) {
  pthread_mutex_lock(&account->lock);
  account->amount += money;
  pthread_mutex_unlock(&account->lock);
}

static void withdraw(struct Account* account, int money) {
  pthread_mutex_lock(&account->lock);
  account->amount -= money;
  pthread_mutex_unlock(&account->lock);
}

static void transfer_personal(struct Account* from, struct Account* to, int money) {
  struct Account* first = from->number < to->number ? from : to;
  struct Account* second = first == from ? to : from;
  pthread_mutex_lock(&first->lock);
  pthread_mutex_lock(&second->lock);
  from->amount -= money;
  to->amount += money;
  pthread_mutex_unlock(&second->lock);
  pthread_mutex_unlock(&first->lock);
}

static void transfer_business(struct Account* from, struct Account* to, int money) {
  withdraw(from, money);
  deposit(to, money);
}

static void* manage(void* argument) {
  struct Account* account = argument;
  struct Account* neighbour = &accounts[(account->number + 1) % ACCOUNTS];
  deposit(account, 300);
  withdraw(account, 100);
  if (account->kind == kBusiness) {
    transfer_business(account, neighbour, 99);
  } else {
    transfer_personal(account, neighbour, 99);
  }
  return 0;
}

int main(void) {
  pthread_t threads[ACCOUNTS];
  for (int i = 0; i < ACCOUNTS; i++) {
    pthread_mutex_init(&accounts[i].lock, 0);
    accounts[i].number = i;
    accounts[i].kind = i == 1 ? kBusiness : kPersonal;
    accounts[i].amount = 100;
  }
  for (int i = 0; i < ACCOUNTS; i++) pthread_create(&threads[i], 0, manage, &accounts[i]);
  for (int i = 0; i < ACCOUNTS; i++) pthread_join(threads[i], 0);
  for (int i = 0; i < ACCOUNTS; i++) assert(accounts[i].amount == 300);
  return 0;
}
