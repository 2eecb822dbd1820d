// A local whose end is what it is for.
// LOCAL: the statement uses variables of its function
// STATEMENT:
// STATEMENT: Touch last;
// STATEMENT: Touch();
// STATEMENT: Touch *last = new Touch; (void)last;
// STATEMENT: static Touch last;
#include "all.h"

std::atomic<int> flag{0}; int data; struct Touch { int own = 1; ~Touch() { data++; } };
HELPERS
static void w() { STATEMENT flag = 1; }
int main(void) { std::thread t(w); if (flag) data++; t.join(); return 0; }
