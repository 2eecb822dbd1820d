// Two locks, and their order.
// LOCAL: the statement uses variables of its function
// STATEMENT: std::scoped_lock hold(a, b);
// STATEMENT: std::scoped_lock hold(b, a);
// STATEMENT: std::lock_guard<std::mutex> one(b), two(a);
// STATEMENT: std::lock_guard<std::mutex> one(a), two(b);
// STATEMENT: std::scoped_lock hold(a);
// STATEMENT: std::lock(a, b); a.unlock(); b.unlock();
#include "all.h"

std::mutex a, b; int data;
HELPERS
static void w() { STATEMENT data++; }
int main(void) { std::thread t(w); { std::lock_guard<std::mutex> one(a), two(b); data++; } t.join(); return 0; }
