// A fence before a relaxed store: nothing else tells of what was written.
// STATEMENT: std::atomic_thread_fence(std::memory_order_release);
// STATEMENT:
// STATEMENT: std::atomic_thread_fence(std::memory_order_acquire);
// STATEMENT: std::atomic_signal_fence(std::memory_order_release);
#include "all.h"

int data; std::atomic<int> flag{0};
HELPERS
static void w() { data = 1; STATEMENT flag.store(1, std::memory_order_relaxed); }
int main(void) { std::thread t(w); if (flag.load(std::memory_order_acquire)) data++; t.join(); return 0; }
