// Every index that passes the check is one of the array.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int hits[8];
static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused) {
  const int slot = __VERIFIER_nondet_int();
  if (slot < 0 || slot > 7) return unused;
  pthread_mutex_lock(&guard);
  hits[slot]++;
  pthread_mutex_unlock(&guard);
  return unused;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, 0, count, 0);
  pthread_create(&second, 0, count, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  int sum = 0;
  for (int i = 0; i < 8; ++i) sum += hits[i];
  assert(sum >= 0 && sum <= 2);
  return 0;
}
