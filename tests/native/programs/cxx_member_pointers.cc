// Pointers to members: plain, virtual, of bases at an offset; compared, converted, in tables.
#include <cstdio>

struct Counter { int n = 0; int up(int by) { return n += by; } int down(int by) { return n -= by; } virtual ~Counter() {} virtual int twice(int x) { return 2 * x; } };
struct Other { long pad[2] = {7, 8}; virtual ~Other() {} virtual int half(int x) { return x / 2; } int plain() const { return static_cast<int>(pad[1]); } };
struct Both : Counter, Other { int twice(int x) override { return 4 * x; } int half(int x) override { return x / 4; } int own = 5; };

using Step = int (Counter::*)(int);
static const Step kSteps[] = {&Counter::up, &Counter::down, &Counter::twice};

template <typename T, typename R, typename... A>
R invoke(T& object, R (T::*member)(A...), A... arguments) { return (object.*member)(arguments...); }

int main() {
  Both both;
  for (Step step : kSteps) std::printf("%d\n", (both.*step)(10));
  int (Both::*half)(int) = &Other::half;
  std::printf("%d %d\n", (both.*half)(100), invoke<Other>(both, &Other::half, 80));
  int (Both::*plain)() const = &Other::plain;
  std::printf("%d\n", (both.*plain)());
  int Both::*field = &Both::own;
  int Both::*inherited = &Counter::n;
  both.*field += 1;
  both.*inherited = 40;
  std::printf("%d %d\n", both.own, both.up(2));
  int Both::*none = nullptr;
  Step empty = nullptr;
  std::printf("%d %d %d\n", none == nullptr, empty == nullptr, kSteps[0] == &Counter::up);
  Both* object = &both;
  std::printf("%d\n", (object->*kSteps[2])(3));
  return 0;
}
