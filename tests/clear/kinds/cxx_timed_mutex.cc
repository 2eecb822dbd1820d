// A lock that is not waited for without end.
// LOCAL: the statement takes a lock for the rest of its function
// STATEMENT: if (!m.try_lock_for(std::chrono::seconds(1))) return;
// STATEMENT: m.try_lock_for(std::chrono::seconds(1));
// STATEMENT: m.lock();
// STATEMENT: if (!m.try_lock_until(std::chrono::steady_clock::now())) return;
// STATEMENT: while (!m.try_lock_for(std::chrono::milliseconds(1))) {}
#include "all.h"

std::timed_mutex m; int data;
HELPERS
static void w() { STATEMENT data++; m.unlock(); }
int main(void) { std::thread t(w); m.lock(); data++; m.unlock(); t.join(); return 0; }
