// A wait that the clock may end.
// LOCAL: the statement uses variables of its function
// STATEMENT: c.wait(hold, [] { return ready; });
// STATEMENT: c.wait_for(hold, std::chrono::seconds(1), [] { return ready; });
// STATEMENT: if (!c.wait_for(hold, std::chrono::seconds(1), [] { return ready; })) return;
// STATEMENT: c.wait(hold);
// STATEMENT: c.wait_until(hold, std::chrono::steady_clock::now(), [] { return ready; });
#include "all.h"
#include <condition_variable>

std::mutex m; std::condition_variable c; bool ready; int data = 1;
HELPERS
static void w() { std::unique_lock<std::mutex> hold(m); STATEMENT assert(data == 2); }
int main(void) { std::thread t(w); { std::lock_guard<std::mutex> hold(m); data = 2; ready = true; } c.notify_one(); t.join(); return 0; }
