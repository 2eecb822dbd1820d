// A reader counts itself; the writer frees the old version when nobody reads.
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) current;
static atomic_int readers;

static void *read_it(void *unused) {
  atomic_fetch_add_explicit(&readers, 1, memory_order_seq_cst);
  const int *seen = atomic_load_explicit(&current, memory_order_seq_cst);
  assert(*seen == 1 || *seen == 2);
  atomic_fetch_sub_explicit(&readers, 1, memory_order_release);
  return unused;
}

static void *replace(void *unused) {
  int *fresh = malloc(sizeof *fresh);
  if (!fresh) return unused;
  *fresh = 2;
  int *old = atomic_exchange_explicit(&current, fresh, memory_order_seq_cst);
  while (atomic_load_explicit(&readers, memory_order_seq_cst)) {
  }
  free(old);
  return unused;
}

int main(void) {
  int *made = malloc(sizeof *made);
  if (!made) return 0;
  *made = 1;
  atomic_init(&current, made);
  pthread_t a, b;
  pthread_create(&a, 0, read_it, 0);
  pthread_create(&b, 0, replace, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(atomic_load(&current));  // HARMLESS: seq_cst -> acquire (load)
  return 0;
}
