// How a plain object is counted.
// STATEMENT: std::atomic_ref<int>(count)++;
// STATEMENT: count++;
// STATEMENT: std::atomic_ref<int>(count).store(std::atomic_ref<int>(count).load() + 1);
// STATEMENT: std::atomic_ref<int>(count).fetch_add(1, std::memory_order_relaxed);
#include "all.h"

int count;
HELPERS
static void w() { STATEMENT }
int main(void) { std::thread t(w); std::atomic_ref<int>(count)++; t.join(); assert(count == 2); return 0; }
