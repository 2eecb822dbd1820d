// What is done with a flag that another thread waits for.
// STATEMENT: flag.test_and_set(); flag.notify_all();
// STATEMENT: flag.test_and_set(std::memory_order_relaxed); flag.notify_all();
// STATEMENT: flag.clear(); flag.notify_all();
// STATEMENT: while (!flag.test_and_set()) {} flag.notify_all();
#include "all.h"

std::atomic_flag flag; int data;
HELPERS
static void w() { data = 1; STATEMENT }
int main(void) { std::thread t(w); flag.wait(false); assert(data == 1); t.join(); return 0; }
