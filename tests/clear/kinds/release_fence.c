// What a fence publishes.
// STATEMENT: atomic_thread_fence(memory_order_release);
// STATEMENT:
// STATEMENT: atomic_signal_fence(memory_order_release);
// STATEMENT: atomic_thread_fence(memory_order_acquire);
// STATEMENT: __asm__ volatile("" ::: "memory");
#include "all.h"

int data; atomic_int flag; int seen;
HELPERS
static void *w(void *p) { data = 1; STATEMENT atomic_store_explicit(&flag, 1, memory_order_relaxed); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); if (atomic_load_explicit(&flag, memory_order_acquire)) {  seen = data; } pthread_join(t, 0); return 0; }
