// SAYS: writes 9 bytes, across the end of 'account.name' (8 bytes)
// The end of the text lies in the member behind the array.
#include <pthread.h>
#include <string.h>

static struct {
  char name[8];
  int balance;
} account = {"nobody", 5};

static void *renames(void *p) {
  strcpy(account.name, "somebody");  // ERROR(out-of-bounds)!
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, renames, NULL);
  pthread_join(t, NULL);
  return account.balance != 5;
}
