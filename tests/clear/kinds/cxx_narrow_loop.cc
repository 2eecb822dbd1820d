// A loop that may never end: its counter is narrower than what it is compared with.
// STATEMENT: for (unsigned char i = 0; i < 9; i++) own += i;
// STATEMENT: for (unsigned char i = 0; i <= 255; i++) own += i;
// STATEMENT: for (std::int8_t i = 0; i < 9; i++) own += i;
// STATEMENT: for (auto i = std::uint8_t{9}; i >= 0; i--) own += i;
#include "all.h"
#include <cstdint>

std::mutex m; int data; static thread_local unsigned own;
HELPERS
static void w() { STATEMENT std::lock_guard<std::mutex> hold(m); data++; }
int main(void) { std::thread t(w); { std::lock_guard<std::mutex> hold(m); data++; } t.join(); return 0; }
