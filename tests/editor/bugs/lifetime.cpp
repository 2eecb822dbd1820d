#include <memory>
#include <thread>
int main() {
  auto answer = std::make_unique<int>(0);
  std::thread thread([value = answer.get()] { *value = 1; });
  thread.join(), answer.reset();  // here
}
