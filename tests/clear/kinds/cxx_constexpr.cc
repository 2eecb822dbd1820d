// A number that is known when it is compiled.
// LOCAL: the statement uses variables of its function
// STATEMENT: constexpr int n = 3;
// STATEMENT: constexpr int n = 4;
// STATEMENT: constexpr int n = -1;
// STATEMENT: const int n = 2 + 1;
#include "all.h"

std::atomic<int> data{0};
HELPERS
static void w() { STATEMENT int own[4] = {}; own[n] = 1; data = own[3]; }
int main(void) { std::thread t(w); t.join(); return 0; }
