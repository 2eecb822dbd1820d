// A lock that is taken now, later, or perhaps.
// LOCAL: the statement uses variables of its function
// STATEMENT: std::unique_lock<std::mutex> hold(m);
// STATEMENT: std::unique_lock<std::mutex> hold(m, std::defer_lock);
// STATEMENT: std::unique_lock<std::mutex> hold(m, std::try_to_lock);
// STATEMENT: std::unique_lock<std::mutex> hold(m, std::try_to_lock); if (!hold) return;
// STATEMENT: std::unique_lock<std::mutex> hold(m); hold.release();
// STATEMENT: std::unique_lock<std::mutex> hold;
#include "all.h"

std::mutex m; int data;
HELPERS
static void w() { STATEMENT data++; }
int main(void) { std::thread t(w); { std::lock_guard<std::mutex> hold(m); data++; } t.join(); return 0; }
