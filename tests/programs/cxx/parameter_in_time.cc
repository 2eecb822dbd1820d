// VERDICT: clear
// Parameters and temporaries that live long enough, also in loops and conditions.
#include <future>
#include <string>
#include <thread>

static std::size_t waits(std::string name) {
  std::size_t result = 0;
  std::thread t([&] { result = name.size(); });
  t.join();
  return result;
}
static std::size_t adds(std::future<std::size_t> first, std::string second) { return first.get() + second.size(); }
static std::future<std::size_t> start(std::string &&name) {
  return std::async(std::launch::async, [&name] { return name.size(); });
}

int main() {
  std::size_t sum = 0;
  for (int i = 0; i < 3; i++) sum += waits(std::string(static_cast<std::size_t>(i + 1), 'x'));
  for (int i = 0; i < 2; i++) sum += i ? waits("abc") : waits(std::string("ab") + "cd");
  sum += start(std::string("hello")).get();  // the temporary lives to the end of the expression
  sum += adds(start("hello"), "a");
  return sum == 1 + 2 + 3 + 4 + 3 + 5 + 6 ? 0 : 1;
}
