// A heap object reached through two different pointers.
#include <pthread.h>
#include <stdlib.h>

struct account { long balance; };
struct branch { struct account *main_account; };

static struct branch north, south;

static void *deposit(void *arg) {
  north.main_account->balance += 10;  // RACE!
  return arg;
}

static void *withdraw(void *arg) {
  south.main_account->balance -= 10;  // RACE!
  return arg;
}

int main(void) {
  pthread_t a, b;
  struct account *account = malloc(sizeof *account);
  if (!account) return 1;
  account->balance = 100;
  north.main_account = south.main_account = account;
  pthread_create(&a, NULL, deposit, NULL);
  pthread_create(&b, NULL, withdraw, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  free(account);
  return 0;
}
