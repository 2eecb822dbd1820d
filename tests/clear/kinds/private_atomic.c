// An atomic variable that nobody else sees orders nothing; a fence does.
// STATEMENT: atomic_thread_fence(memory_order_release);
// STATEMENT: static _Thread_local atomic_int own; atomic_store(&own, 1);
// STATEMENT: atomic_int here; atomic_init(&here, 0); atomic_fetch_add(&here, 1);
#include "all.h"

int data; atomic_int flag; int seen;
HELPERS
static void *w(void *p) { data = 1; STATEMENT atomic_store_explicit(&flag, 1, memory_order_relaxed); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); if (atomic_load_explicit(&flag, memory_order_acquire)) {  seen = data; } pthread_join(t, 0); return 0; }
