// What a lambda takes along.
// LOCAL: the statement uses variables of its function
// STATEMENT: auto f = [n]() mutable { n++; };
// STATEMENT: auto f = [&n] { n++; };
// STATEMENT: auto f = [&] { std::lock_guard<std::mutex> hold(m); n++; };
// STATEMENT: auto f = [=] { return n; };
#include "all.h"

std::mutex m;
HELPERS
int main(void) { int n = 0; STATEMENT std::thread a(f), b(f); a.join(); b.join(); return n > 2; }
