// What a fence takes over.
// STATEMENT: atomic_thread_fence(memory_order_acquire);
// STATEMENT:
// STATEMENT: atomic_signal_fence(memory_order_seq_cst);
// STATEMENT: atomic_thread_fence(memory_order_release);
// STATEMENT: usleep(10);
#include "all.h"

int data; atomic_int flag; int seen;
HELPERS
static void *w(void *p) { data = 1; atomic_thread_fence(memory_order_release); atomic_store_explicit(&flag, 1, memory_order_relaxed); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); if (atomic_load_explicit(&flag, memory_order_relaxed)) { STATEMENT seen = data; } pthread_join(t, 0); return 0; }
