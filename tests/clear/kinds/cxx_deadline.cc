// A wait that another thread ends, or the clock.
// LOCAL: the statement uses variables of its function
// STATEMENT: while (!ready) std::this_thread::yield();
// STATEMENT: while (!ready && std::chrono::steady_clock::now() < end) std::this_thread::yield();
// STATEMENT: while (!ready && std::chrono::system_clock::now().time_since_epoch().count() < 1) {}
// STATEMENT: if (!ready) return;
#include "all.h"

std::atomic<bool> ready{false}; int data;
HELPERS
static void w() { const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1); (void)end; STATEMENT data++; }
int main(void) { std::thread t(w); data = 1; ready = true; t.join(); return 0; }
