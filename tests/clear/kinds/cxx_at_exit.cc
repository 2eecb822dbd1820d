// What is to run at the end.
// STATEMENT:
// STATEMENT: std::atexit(last);
// STATEMENT: std::at_quick_exit(last);
#include "all.h"

int data; static void last() { data++; }
HELPERS
static void w() { data = 1; }
int main(void) { STATEMENT (void)last; std::thread t(w); t.detach(); std::exit(0); }
