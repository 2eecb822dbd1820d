// Two threads meet at a std::barrier, whose own orders are weaker than seq_cst: none stays behind under RC11.
// OPTIONS: -- -std=c++20
// VERDICT: clear
// SAYS: "memoryModel":"rc11"
#include <barrier>
#include <thread>

static std::barrier<> both(2);
static int one, other;

int main() {
  std::thread a([] {
    one = 1;
    both.arrive_and_wait();
    one += other;
  });
  other = 2;
  both.arrive_and_wait();
  a.join();
  return 0;
}
