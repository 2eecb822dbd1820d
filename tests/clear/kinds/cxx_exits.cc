// Ways to end the process while others run, with a destructor that they need.
// STATEMENT: std::quick_exit(0);
// STATEMENT: std::exit(0);
// STATEMENT: std::_Exit(0);
// STATEMENT:
// STATEMENT: std::abort();
#include "all.h"

struct Owner { int *p = new int(1); ~Owner() { delete p; p = nullptr; } } owner;
HELPERS
static void w() { if (owner.p) *owner.p = 2; }
int main(void) { std::thread t(w); STATEMENT t.join(); return 0; }
