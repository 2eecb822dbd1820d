// The first to come throws; the other then tries and succeeds. Each prints what happened to it: t or s.
// OUTCOME: exit 0, prints "ts"
// OUTCOME: exit 0, prints "st"
#include <cstdio>
#include <mutex>
#include <thread>

std::once_flag flag;
int attempts;

char attempt() {
  try {
    std::call_once(flag, [] {
      if (attempts++ == 0) throw 1;
    });
    return 's';
  } catch (int) {
    return 't';
  }
}

int main() {
  char other = 0;
  std::thread t([&] { other = attempt(); });
  const char mine = attempt();
  t.join();
  std::printf("%c%c", mine, other);
}
