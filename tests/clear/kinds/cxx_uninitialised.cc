// A variable of main that its thread reads.
// LOCAL: the statement declares a variable
// STATEMENT: int v = 3;
// STATEMENT: int v;
// STATEMENT: int v{};
// STATEMENT: int w[2] = {}; int v = w[1];
// STATEMENT: struct { int a, b; } s; s.a = 1; int v = s.b;
#include "all.h"

HELPERS
int main(void) { STATEMENT std::thread t([&v] { if (v == 3) std::this_thread::yield(); }); t.join(); return 0; }
