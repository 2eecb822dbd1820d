// Who tells the one that waits for a value.
// STATEMENT: ready = 1; ready.notify_one();
// STATEMENT: ready = 1;
// STATEMENT: ready.notify_one(); ready = 1;
// STATEMENT: ready.store(1, std::memory_order_relaxed); ready.notify_all();
// STATEMENT: ready = 0; ready.notify_one();
#include "all.h"

std::atomic<int> ready{0}; int data;
HELPERS
static void w() { data = 1; STATEMENT }
int main(void) { std::thread t(w); ready.wait(0); assert(data == 1); t.join(); return 0; }
