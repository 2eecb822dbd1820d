// Who asks a thread to stop.
// STATEMENT: runner.request_stop();
// STATEMENT:
// STATEMENT: source.request_stop();
// STATEMENT: runner.get_stop_source().request_stop();
#include "all.h"

static std::jthread runner; std::stop_source source; int data;
HELPERS
static void w(std::stop_token token) { while (!token.stop_requested()) std::this_thread::yield(); data++; }
int main(void) { runner = std::jthread(w); data = 1; STATEMENT if (runner.joinable()) runner.join(); return 0; }
