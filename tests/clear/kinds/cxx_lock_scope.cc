// How long a lock is held.
// LOCAL: the statement uses variables of its function
// STATEMENT: std::lock_guard<std::mutex> hold(m);
// STATEMENT: { std::lock_guard<std::mutex> hold(m); }
// STATEMENT: std::lock_guard<std::mutex>{m};
// STATEMENT:
// STATEMENT: std::lock_guard<std::mutex> hold(other);
#include "all.h"

std::mutex m, other; int data;
HELPERS
static void w() { STATEMENT data++; }
int main(void) { std::thread t(w); { std::lock_guard<std::mutex> hold(m); data++; } t.join(); return 0; }
