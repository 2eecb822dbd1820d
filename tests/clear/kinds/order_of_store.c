// The order of an atomic store.
// STATEMENT: atomic_store_explicit(&f, 1, memory_order_release);
// STATEMENT: atomic_store_explicit(&f, 1, memory_order_relaxed);
// STATEMENT: atomic_store(&f, 1);
// STATEMENT: f = 1;
// STATEMENT: atomic_exchange_explicit(&f, 1, memory_order_acquire);
#include "all.h"

int x; atomic_int f;
HELPERS
static void *w(void *p) { x = 1; STATEMENT return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); if (atomic_load_explicit(&f, memory_order_acquire)) x++; pthread_join(t, 0); return 0; }
