// Two signals whose slots emit the other signal, from two threads.
#include <atomic>
#include <sigslot/signal.hpp>
#include <thread>

static std::atomic<int> sum{0};

static void cross(sigslot::signal<int>& mine, sigslot::signal<int>& other) {
  mine.connect([&](int value) { value & 1 ? void(sum += value) : other(value + 1); });
  mine(0);
}

int main() {
  sigslot::signal<int> one, two;
  std::thread first([&] { cross(one, two); });
  cross(two, one);
  first.join();
  return 0;
}
