// What a std::function holds.
// STATEMENT:
// STATEMENT: job.swap(other);
// STATEMENT: std::swap(job, other);
// STATEMENT: job = other;
// STATEMENT: job = nullptr;
// STATEMENT: job = [] { data += 2; };
#include "all.h"
#include <functional>

std::mutex m; int data;
std::function<void()> job = [] { std::lock_guard<std::mutex> hold(m); data++; }, other = [] { data++; };
HELPERS
static void w() { if (job) job(); }
int main(void) { STATEMENT std::thread a(w), b(w); a.join(); b.join(); return 0; }
