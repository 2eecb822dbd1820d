// A lambda, or a class without a name, in front of others: these get other numbers and keep their text.
// LOCAL: the statement uses variables of its function
// STATEMENT:
// STATEMENT: auto none = [] { return 1; }; none();
// STATEMENT: auto none = [] { n += 2; }; none();
// STATEMENT: std::thread none([] { n++; }); none.join();
// STATEMENT: std::thread none([] { n++; }); none.detach();
// STATEMENT: struct { void operator()() const { n++; } } none; std::thread other(none); other.detach();
#include "all.h"

std::mutex m; int n;
HELPERS
int main(void) {
  STATEMENT
  std::thread a([] { std::lock_guard<std::mutex> hold(m); n++; }), b([] { std::lock_guard<std::mutex> hold(m); n--; });
  a.join(); b.join(); return n > 9;
}
