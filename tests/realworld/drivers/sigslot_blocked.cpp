// One thread destroys a scoped connection while another emits through a chain of two signals.
#include <atomic>
#include <cassert>
#include <sigslot/signal.hpp>
#include <thread>

static std::atomic<int> sum{0};

int main() {
  sigslot::signal<int> first, second;
  first.connect([&](int value) { second(value + 1); });
  second.connect([](int value) { sum += value; });
  std::thread other([&] {
    auto scoped = second.connect_scoped([](int value) { sum += value; });
    auto blocked = scoped.blocker();
  });
  first(1);
  other.join();
  second.disconnect_all();
  first(1);
  assert(sum == 2 || sum == 4);
  return 0;
}
