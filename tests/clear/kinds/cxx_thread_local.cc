// What a thread has for itself, and what its end does.
// STATEMENT:
// STATEMENT: mine.touch();
// STATEMENT: (void)&mine;
#include "all.h"

std::atomic<int> done{0}; int data; struct Mine { int n = 0; void touch() { n++; } ~Mine() { data++; } }; thread_local Mine mine;
HELPERS
static void w() { STATEMENT done = 1; }
int main(void) { std::thread t(w); while (!done) std::this_thread::yield(); data++; t.join(); return 0; }
