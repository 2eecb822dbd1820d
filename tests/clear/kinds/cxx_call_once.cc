// An initialisation that runs once.
// STATEMENT: std::call_once(once, make);
// STATEMENT: make();
// STATEMENT:
#include "all.h"

std::once_flag once; int *data; static void make() { static int storage; if (!data) data = &storage; }
HELPERS
static void w() { STATEMENT if (data) (void)*data; }
int main(void) { std::thread a(w), b(w); a.join(); b.join(); return 0; }
