// One thread appends and removes a callback while the other calls those that are there.
#include <eventpp/callbacklist.h>

#include <atomic>
#include <cassert>
#include <thread>

int main() {
  eventpp::CallbackList<void()> list;
  std::atomic<int> calls{0};
  list.append([&calls] { ++calls; });
  std::thread other([&] {
    const auto handle = list.append([&calls] { ++calls; });
    list.remove(handle);
  });
  list();
  other.join();
  list();
  assert(calls >= 2 && calls <= 3);
  return 0;
}
