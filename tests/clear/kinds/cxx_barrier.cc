// Who comes to the second round of a barrier.
// STATEMENT: rounds.arrive_and_wait();
// STATEMENT:
// STATEMENT: rounds.arrive_and_drop();
// STATEMENT: (void)rounds.arrive();
#include "all.h"
#include <barrier>

struct Adds { void operator()() noexcept; };
std::barrier<Adds> rounds(2); int data, sum;
void Adds::operator()() noexcept { sum += data; }
HELPERS
static void w() { data = 1; rounds.arrive_and_wait(); data = 2; STATEMENT }
int main(void) { std::thread t(w); rounds.arrive_and_wait(); assert(sum == 1); rounds.arrive_and_wait(); assert(sum == 3); t.join(); return 0; }
