// How an exception comes to another thread.
// STATEMENT: try { throw 3; } catch (...) { kept = std::current_exception(); }
// STATEMENT: throw 3;
// STATEMENT: try { throw 3; } catch (...) {}
// STATEMENT: kept = std::make_exception_ptr(4);
#include "all.h"
#include <exception>

std::exception_ptr kept; int data;
HELPERS
static void w() { STATEMENT data = 1; }
int main(void) { std::thread t(w); t.join(); try { if (kept) std::rethrow_exception(kept); } catch (int n) { assert(n == 3); } return 0; }
