// The thread looks twice whether it shall stop: it sees the request never, at the second look, or at the first.
// OUTCOME: exit 0, prints "00"
// OUTCOME: exit 0, prints "01"
// OUTCOME: exit 0, prints "11"
#include <cstdio>
#include <stop_token>
#include <thread>

int main() {
  bool first = false, second = false;
  {
    std::jthread t([&](std::stop_token token) {
      first = token.stop_requested();
      second = token.stop_requested();
    });
  }  // requests the stop, and joins
  std::printf("%d%d", first, second);
}
