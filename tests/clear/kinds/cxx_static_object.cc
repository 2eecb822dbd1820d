// What the destructor of a static object does while a thread runs.
// STATEMENT: std::lock_guard<std::mutex> hold(m); data++;
// STATEMENT:
// STATEMENT: data++;
// STATEMENT: m.lock(); m.lock();
// STATEMENT: std::quick_exit(0);
#include "all.h"

std::mutex m; int data;
HELPERS
struct Last { ~Last() { STATEMENT } } last;
static void w() { std::lock_guard<std::mutex> hold(m); data++; }
int main(void) { std::thread(w).detach(); return 0; }
