// What the launched function throws comes out of get(), whatever main does meanwhile.
// OUTCOME: exit 0, prints "caught 3"
#include <cstdio>
#include <future>

int main() {
  std::future<void> fails = std::async(std::launch::async, [] { throw 3; });
  try {
    fails.get();
  } catch (int thrown) {
    std::printf("caught %d", thrown);
  }
}
