// A thread's own objects end before its join returns; main's at the end of the program.
// OUTCOME: exit 0, prints "t.jm."
#include <cstdio>
#include <thread>

struct Own {
  char name = '?';
  ~Own() { std::printf("%c.", name); }
};
thread_local Own own;

int main() {
  std::thread t([] { own.name = 't'; });
  t.join();
  own.name = 'm';
  std::printf("j");
}
