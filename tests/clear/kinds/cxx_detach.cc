// What becomes of a thread.
// STATEMENT: t.join();
// STATEMENT: t.detach();
// STATEMENT:
// STATEMENT: if (t.joinable()) t.join();
#include "all.h"

static std::thread t; int data;
HELPERS
static void w() { data++; }
int main(void) { t = std::thread(w); STATEMENT data++; return 0; }
