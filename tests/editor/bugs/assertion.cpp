#include <atomic>
#include <cassert>
#include <thread>
std::atomic<int> total{0};
void worker() {
  total.fetch_add(1);  // here
}
int main() {
  std::thread one(worker), two(worker);
  one.join();
  two.join();
  assert(total.load() == 2);
}
