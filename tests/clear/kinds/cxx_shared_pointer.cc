// Who holds what two threads use.
// LOCAL: the statement is what a thread captures
// STATEMENT: std::thread t([p] { p->n++; });
// STATEMENT: std::thread t([&p] { if (p) p->n++; });
// STATEMENT: std::thread t([p = p.get()] { p->n++; });
// STATEMENT: std::thread t([w = std::weak_ptr(p)] { if (auto q = w.lock()) q->n++; });
#include "all.h"
#include <memory>

struct Counter { int n = 0; };
HELPERS
int main(void) { auto p = std::make_shared<Counter>(); STATEMENT p.reset(); t.join(); return 0; }
