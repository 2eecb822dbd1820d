// The first initialisation throws in whichever thread makes it; the other, or a later call, makes the object.
// OUTCOME: exit 0, prints "t4"
// OUTCOME: exit 0, prints "4t"
#include <cstdio>
#include <thread>

int attempts;

int make() {
  if (attempts++ == 0) throw 1;
  return 4;
}

char get() {
  try {
    static int value = make();
    return static_cast<char>('0' + value);
  } catch (int) {
    return 't';
  }
}

int main() {
  char other = 0;
  std::thread t([&] { other = get(); });
  const char mine = get();
  t.join();
  std::printf("%c%c", mine, other);
}
