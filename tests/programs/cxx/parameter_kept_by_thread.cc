// A parameter of class type lives to the end of the full expression of the call; the thread keeps a reference.
#include <functional>
#include <thread>

static std::thread start(std::function<int(int)> work) {
  return std::thread([&work] { (void)work(1); });  // ERROR(use-after-free)! RACE?
}

int main() {
  int x = 1;
  std::thread t = start([x](int n) { return x + n; });
  t.join();
}
