// A reader of one key writes under the shared lock.
// SETTINGS: unknown-data: symbolic
#include <pthread.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int table, generation;

static void *look(void *unused) {
  const unsigned long key = __VERIFIER_nondet_ulong();
  pthread_rwlock_rdlock(&lock);
  if (generation == 1 && (key ^ key >> 29) == 0x9e3779b97f4a7c15UL) table = 1;  // RACE!
  pthread_rwlock_unlock(&lock);
  return unused;
}

static void *advance(void *unused) {
  pthread_rwlock_wrlock(&lock);
  generation++;
  pthread_rwlock_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t writer, first, second;
  pthread_create(&writer, 0, advance, 0);
  pthread_create(&first, 0, look, 0);
  pthread_create(&second, 0, look, 0);
  pthread_join(writer, 0);
  pthread_join(first, 0);
  pthread_join(second, 0);
  return table;
}
