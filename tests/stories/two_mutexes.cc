// Two threads take a and b in opposite orders; a third mutex was taken before.
#include <mutex>
#include <thread>

std::mutex other, a, b;
int shared;

void first() {
  std::lock_guard<std::mutex> lock(other);
  ++shared;
}
void forwards() {
  first();
  std::lock_guard<std::mutex> one(a);
  std::lock_guard<std::mutex> two(b);
}
void backwards() {
  std::lock_guard<std::mutex> one(b);
  std::lock_guard<std::mutex> two(a);
}

int main() {
  std::thread x(forwards), y(backwards);
  x.join();
  y.join();
}
