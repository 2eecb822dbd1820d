// Which class is called.
// STATEMENT: chosen = &guarded;
// STATEMENT: chosen = &open;
// STATEMENT: chosen = &guarded; (void)open;
#include "all.h"

std::mutex m; int data;
struct Step { virtual ~Step() = default; virtual void run() { data++; } };
struct Guarded : Step { void run() override { std::lock_guard<std::mutex> hold(m); data++; } };
Step open; Guarded guarded; Step *chosen = &guarded;
HELPERS
static void w() { chosen->run(); }
int main(void) { STATEMENT std::thread a(w), b(w); a.join(); b.join(); return 0; }
