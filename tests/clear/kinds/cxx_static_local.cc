// Who owns a local.
// LOCAL: the statement uses variables of its function
// STATEMENT: static int n = 0;
// STATEMENT: int n = 0;
// STATEMENT: thread_local int n = 0;
// STATEMENT: static std::atomic<int> n{0};
// STATEMENT: static const int start = data; int n = start;
#include "all.h"

int data;
HELPERS
static void w() { STATEMENT n++; }
int main(void) { std::thread a(w), b(w); a.join(); b.join(); return 0; }
