// The order of an atomic store.
// STATEMENT: flag.store(1, std::memory_order_release);
// STATEMENT: flag.store(1, std::memory_order_relaxed);
// STATEMENT: flag.store(1);
// STATEMENT: flag.exchange(1, std::memory_order_acquire);
// STATEMENT: flag.fetch_add(1, std::memory_order_acq_rel);
#include "all.h"

int data; std::atomic<int> flag{0};
HELPERS
static void w() { data = 1; STATEMENT }
int main(void) { std::thread t(w); if (flag.load(std::memory_order_acquire)) data++; t.join(); return 0; }
