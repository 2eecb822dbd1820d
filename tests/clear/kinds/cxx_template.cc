// A parameter of a template.
// STATEMENT: bump<true>();
// STATEMENT: bump<false>();
// STATEMENT: bump<true, 2>();
// STATEMENT: bump<(3 > 4)>();
#include "all.h"

std::mutex m; int data;
template <bool Locks, int N = 1> void bump() { if constexpr (Locks) { std::lock_guard<std::mutex> hold(m); data += N; } else { data += N; } }
HELPERS
static void w() { STATEMENT }
int main(void) { std::thread t(w); { std::lock_guard<std::mutex> hold(m); data++; } t.join(); assert(data != 3); return 0; }
