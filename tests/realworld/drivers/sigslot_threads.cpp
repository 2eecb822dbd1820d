// One thread connects and disconnects while another emits.
#include <atomic>
#include <cassert>
#include <sigslot/signal.hpp>
#include <thread>

static std::atomic<int> sum{0};
static void add(int value) { sum += value; }

int main() {
  sigslot::signal<int> changed;
  changed.connect(add);
  std::thread other([&] {
    auto connection = changed.connect(add);
    changed(1);
    connection.disconnect();
  });
  changed(1);
  other.join();
  changed(1);
  assert(sum >= 4 && sum <= 5);
  return 0;
}
