// The array's size is an argument of a template; one instance is too small.
#include <thread>

template <int size>
struct Buffer {
  char bytes[size] = {};
  int length = 0;
  void fill(int count) {
    for (int n = 0; n < count; ++n) bytes[n] = 'x';  // ERROR(out-of-bounds)!
    length = count;
  }
};

static Buffer<8> large;
static Buffer<4> small;

int main() {
  std::thread other([] { large.fill(8); });
  other.join();
  small.fill(5);
  return large.length - 8;
}
