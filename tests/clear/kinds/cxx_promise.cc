// Who keeps a promise.
// STATEMENT: promise.set_value(1);
// STATEMENT:
// STATEMENT: promise.set_exception(std::make_exception_ptr(1));
// STATEMENT: promise.set_value(2);
#include "all.h"
#include <exception>
#include <future>

std::promise<int> promise; int data;
HELPERS
static void w() { data = 1; STATEMENT }
int main(void) { std::future<int> f = promise.get_future(); std::thread t(w); try { assert(f.get() == 1); data++; } catch (int) { } t.join(); return 0; }
