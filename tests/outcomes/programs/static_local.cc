// Both reach the static object first or second; it is made once, by either, and seen whole by both.
// OUTCOME: exit 0, prints "m 4 4"
// OUTCOME: exit 0, prints "t 4 4"
#include <cstdio>
#include <thread>

struct Made {
  char by;
  int value = 4;
};

Made& made(char by) {
  static Made object{by};
  return object;
}

int main() {
  int other = 0;
  std::thread t([&] { other = made('t').value; });
  const int mine = made('m').value;
  t.join();
  std::printf("%c %d %d", made('x').by, mine, other);
}
