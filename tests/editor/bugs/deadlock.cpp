#include <mutex>
#include <thread>
std::mutex first, second;
int moved = 0;
void move(std::mutex &from, std::mutex &to) {
  std::lock_guard<std::mutex> one(from);
  std::lock_guard<std::mutex> two(to);
  moved++;
}
int main() {
  std::thread thread([] { move(first, second); });  // here
  move(first, second);
  thread.join();
}
