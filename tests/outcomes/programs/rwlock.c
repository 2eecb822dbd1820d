// Two readers and a writer: a reader sees nothing or both writes, each on its own.
// OUTCOME: exit 0, prints "0 0"
// OUTCOME: exit 0, prints "0 2"
// OUTCOME: exit 0, prints "2 0"
// OUTCOME: exit 0, prints "2 2"
#include <pthread.h>
#include <stdio.h>

static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int a, b;

static void* read_sum(void* sum) {
  pthread_rwlock_rdlock(&l);
  *(int*)sum = a + b;
  pthread_rwlock_unlock(&l);
  return 0;
}

static void* write_both(void* p) {
  pthread_rwlock_wrlock(&l);
  a = 1;
  b = 1;
  pthread_rwlock_unlock(&l);
  return p;
}

int main(void) {
  pthread_t r, w;
  int other, mine;
  pthread_create(&r, 0, read_sum, &other);
  pthread_create(&w, 0, write_both, 0);
  read_sum(&mine);
  pthread_join(r, 0);
  pthread_join(w, 0);
  printf("%d %d", mine, other);
  return 0;
}
