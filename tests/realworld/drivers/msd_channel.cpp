// A writer fills a channel of one place and closes it; the reader takes what comes.
#include <cassert>
#include <msd/channel.hpp>
#include <thread>

int main() {
  msd::channel<int> values{1};
  std::thread writer([&] {
    values << 1;
    values << 2;
    values.close();
  });
  int sum = 0;
  for (const auto value : values) sum += value;
  writer.join();
  assert(sum == 3);
  return 0;
}
