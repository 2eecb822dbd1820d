// Two threads read an atomic variable, by the same line of the library, while a third writes it as if it were plain.
#include <atomic>
#include <thread>

static std::atomic<int> value{0};

static int first() {
  return value;  // RACE!
}

static int second() {
  return value + 1;  // RACE!
}

static void writes() {
  *reinterpret_cast<int *>(&value) = 1;  // RACE!
}

int main() {
  std::thread a(first), b(second), c(writes);
  a.join();
  b.join();
  c.join();
  return 0;
}
