// Another thread adds to elements that were allocated, and not set.
#include <memory>
#include <thread>

int main() {
  std::unique_ptr<double[]> sums(new double[2]);
  std::thread other([&] {
    for (int n = 0; n < 2; ++n) sums[n] += n;
  });
  other.join();
  return sums[1] > 6.5;  // ERROR(uninitialised-read)!
}
