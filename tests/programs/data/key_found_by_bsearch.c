// An unknown key in a table that is sorted first: one entry counts without the lock.
// SETTINGS: unknown-data: symbolic
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

unsigned __VERIFIER_nondet_uint(void);
struct entry {
  unsigned key;
  int uses;
};
static struct entry table[3] = {{70000, 0}, {3, 0}, {0, 0}};
static unsigned key;
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static int compare(const void *left, const void *right) {
  const unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;
  return a < b ? -1 : a > b;
}

static void *use(void *unused) {
  struct entry *found = bsearch(&key, table, 3, sizeof table[0], compare);
  if (found == 0) return unused;
  assert(found->key == key);
  if (key != 70000) pthread_mutex_lock(&guard);
  found->uses++;  // RACE!
  if (key != 70000) pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t first, second;
  key = __VERIFIER_nondet_uint();
  assert(ntohl(htonl(key)) == key);
  qsort(table, 3, sizeof table[0], compare);
  for (int n = 0; n < 2; n++) assert(table[n].key <= table[n + 1].key);
  pthread_create(&first, 0, use, 0);
  pthread_create(&second, 0, use, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return 0;
}
