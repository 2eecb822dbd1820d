// Many exceptions, and one through many frames.
#include <cstdio>

static long destroyed;
struct Count { int weight; ~Count() { destroyed += weight; } };
int dive(int depth) {
  Count c{depth % 7};
  if (depth == 0) throw 11L;
  return dive(depth - 1) + c.weight;
}
int loop(int k) {
  Count c{1};
  if (k % 3 == 0) throw k;
  if (k % 5 == 0) throw "five";
  return k;
}
int main() {
  try { dive(3000); } catch (long x) { std::printf("%ld %ld\n", x, destroyed); }
  long sum = 0, texts = 0;
  for (int k = 0; k < 5000; ++k) {
    try { sum += loop(k); } catch (int x) { sum -= x; } catch (const char*) { ++texts; }
  }
  std::printf("%ld %ld %ld\n", sum, texts, destroyed);
}
