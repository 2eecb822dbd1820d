// SAYS: writes 9 bytes, across the end of 'account.name' (8 bytes)
// As many bytes as the text has, and not as many as there is room for.
#include <pthread.h>
#include <string.h>

static struct {
  char name[8];
  int balance;
} account;

static void *renames(void *p) {
  memcpy(account.name, p, strlen(p) + 1);  // ERROR(out-of-bounds)!
  return p;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, renames, "somebody");
  pthread_join(t, NULL);
  return account.balance;
}
