// Of which kind a mutex is.
// LOCAL: the statement declares it
// STATEMENT: static std::recursive_mutex m;
// STATEMENT: static std::mutex m;
// STATEMENT: static std::recursive_timed_mutex m;
// STATEMENT: static thread_local std::recursive_mutex m;
#include "all.h"

STATEMENT
int data;
HELPERS
static void inner() { std::lock_guard hold(m); data++; }
static void w() { std::lock_guard hold(m); inner(); }
int main(void) { std::thread t(w); w(); t.join(); return 0; }
