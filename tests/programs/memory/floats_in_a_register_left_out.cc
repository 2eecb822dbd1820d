// The same of floating point, given by a member function.
#include <thread>

struct Point {
  float x, y;
  bool above(Point other) const { return y > other.y; }
};

int main() {
  std::thread works([] {
    Point point{1, 2}, other;
    other.x = 1;
    if (point.above(other)) std::this_thread::yield();  // ERROR(uninitialised-read)!
  });
  works.join();
}
