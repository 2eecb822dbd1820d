// The same for what a default argument makes, and std::async.
#include <future>
#include <string>

static std::future<std::size_t> start(std::string name = "default") {
  return std::async(std::launch::async, [&name] { return name.size(); });  // ERROR(use-after-free)! RACE?
}

int main() {
  std::future<std::size_t> length = start();  // RACE?
  return length.get() != 7;
}
