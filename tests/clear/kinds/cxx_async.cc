// When what was asked for runs.
// LOCAL: the statement uses variables of its function
// STATEMENT: auto f = std::async(std::launch::deferred, w);
// STATEMENT: auto f = std::async(std::launch::async, w);
// STATEMENT: auto f = std::async(std::launch::async, w); f.wait();
// STATEMENT: std::async(std::launch::async, w); std::future<void> f = std::async(std::launch::deferred, [] {});
#include "all.h"
#include <future>

int data;
HELPERS
static void w() { data++; }
int main(void) { std::thread t([] {}); STATEMENT data++; f.get(); t.join(); return 0; }
