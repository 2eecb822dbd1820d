// How many permits there are, and who waits for one.
// STATEMENT: permits.acquire();
// STATEMENT: permits.try_acquire();
// STATEMENT: if (!permits.try_acquire_for(std::chrono::seconds(1))) return;
// STATEMENT: permits.acquire(); permits.acquire();
// STATEMENT: while (!permits.try_acquire()) {}
#include "all.h"
#include <semaphore>

std::counting_semaphore<4> permits(0); int data;
HELPERS
static void w() { STATEMENT data++; }
int main(void) { std::thread t(w); data = 1; permits.release(); t.join(); return 0; }
