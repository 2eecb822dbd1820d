// Who arrives.
// STATEMENT: latch.count_down();
// STATEMENT:
// STATEMENT: latch.arrive_and_wait();
// STATEMENT: latch.count_down(0);
// STATEMENT: latch.wait();
#include "all.h"
#include <latch>

std::latch latch(1); int data;
HELPERS
static void w() { data = 1; STATEMENT }
int main(void) { std::thread t(w); latch.wait(); data++; t.join(); return 0; }
