// Functions of numbers in <cmath>, which call those of C.
// STATEMENT:
// STATEMENT: (void)std::log2(zero - 1);
// STATEMENT: (void)std::sqrt(zero - 1);
#include "all.h"
#include <cerrno>
#include <cmath>
#include <cstdlib>

static volatile float zero;
HELPERS
static void w() { errno = 0; STATEMENT if (errno) abort(); }
int main() { std::thread t(w); t.join(); }
