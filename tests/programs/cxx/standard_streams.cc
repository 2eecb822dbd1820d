// Several threads may use the standard streams: that alone is no race. What they print besides may be one.
#include <iostream>
#include <mutex>
#include <thread>

static int printed;

static void print(const char* name, double number) {
  std::cout << name << ' ' << number << std::endl;  // NORACE
}

int main() {
  std::thread other([] {
    print("other", 2.5);
    ++printed;  // RACE!
  });
  print("main", 1);
  ++printed;  // RACE!
  other.join();
  return 0;
}
