// How a lock for readers is taken.
// LOCAL: the statement takes a lock for the rest of its function
// STATEMENT: std::unique_lock hold(m);
// STATEMENT: std::shared_lock hold(m);
// STATEMENT: std::unique_lock hold(m, std::try_to_lock); if (!hold) return;
// STATEMENT: std::unique_lock hold(m, std::defer_lock);
// STATEMENT: std::shared_lock look(m); std::unique_lock hold(m);
#include "all.h"
#include <shared_mutex>

std::shared_mutex m; int data;
HELPERS
static void w() { STATEMENT data++; }
int main(void) { std::thread t(w); { std::unique_lock hold(m); data++; } t.join(); return 0; }
