// Who runs what is called when a stop is asked for.
// STATEMENT: source.request_stop();
// STATEMENT:
// STATEMENT: std::jthread(w).join(); source.request_stop();
// STATEMENT: std::stop_source().request_stop();
#include "all.h"

std::stop_source source; int data; static void w() { std::this_thread::yield(); }
HELPERS
static void runs() { std::stop_callback stops(source.get_token(), [] { data++; }); }
int main(void) { std::thread t(runs); STATEMENT t.join(); data++; return 0; }
