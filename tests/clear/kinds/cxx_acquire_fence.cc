// A fence behind a relaxed load.
// STATEMENT: std::atomic_thread_fence(std::memory_order_acquire);
// STATEMENT:
// STATEMENT: std::atomic_thread_fence(std::memory_order_seq_cst);
#include "all.h"

int data; std::atomic<bool> flag{false};
HELPERS
static void w() { data = 1; flag.store(true, std::memory_order_release); }
int main(void) { std::thread t(w); if (flag.load(std::memory_order_relaxed)) { STATEMENT data++; } t.join(); return 0; }
