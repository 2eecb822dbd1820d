// How a loop that looks at others pauses.
// STATEMENT: std::this_thread::sleep_for(std::chrono::milliseconds(1));
// STATEMENT:
// STATEMENT: std::this_thread::yield();
#include "all.h"

std::atomic<bool> ready{false}; int data;
HELPERS
static void w() { while (!ready) { STATEMENT } data++; }
int main(void) { std::thread t(w); data = 1; ready = true; t.join(); return data - 2; }
