// An exception, and how far it gets.
// STATEMENT:
// STATEMENT: throw 1;
// STATEMENT: try { throw 1; } catch (int) { }
// STATEMENT: try { throw 1; } catch (long) { }
// STATEMENT: std::terminate();
#include "all.h"
#include <exception>

std::mutex m; int data;
HELPERS
static void w() { try { std::lock_guard<std::mutex> hold(m); STATEMENT data++; } catch (long) { data++; } }
int main(void) { std::thread t(w); { std::lock_guard<std::mutex> hold(m); data++; } t.join(); return 0; }
