// Two readers of one value, and the writer: all orders give the same.
// OUTCOME: exit 0, prints "9 9"
#include <cstdio>
#include <future>
#include <thread>

int main() {
  std::promise<int> promise;
  std::shared_future<int> future = promise.get_future().share();
  int other = 0;
  std::thread reader([future, &other] { other = future.get(); });
  std::thread writer([&promise] { promise.set_value(9); });
  const int mine = future.get();
  reader.join();
  writer.join();
  std::printf("%d %d", mine, other);
}
