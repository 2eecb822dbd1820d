// Fences of the processor and of the compiler.
// STATEMENT: __sync_synchronize();
// STATEMENT: __asm__ volatile("" ::: "memory");
// STATEMENT: __asm__ volatile("mfence" ::: "memory");
// STATEMENT: atomic_signal_fence(memory_order_seq_cst);
// STATEMENT: __builtin_ia32_mfence();
// STATEMENT: __atomic_thread_fence(__ATOMIC_ACQ_REL);
// STATEMENT:
#include "all.h"
static int data; static atomic_int f;
HELPERS
static void *w(void *p) { data = 1; STATEMENT atomic_store_explicit(&f, 1, memory_order_relaxed); return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); int y = 0; if (atomic_load_explicit(&f, memory_order_acquire)) y = data; pthread_join(t, 0); return y > 1; }
