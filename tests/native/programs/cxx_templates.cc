// Templates and lambdas: packs, folds, constexpr, captures by value, reference and move, generic and recursive ones.
#include <cstdio>
#include <initializer_list>
#include <type_traits>
#include <utility>

template <typename... T> int sum(T... v) { return (0 + ... + v); }
template <typename F, typename... A> auto apply(F&& f, A&&... a) { return std::forward<F>(f)(std::forward<A>(a)...); }
template <int N> struct Fib { static constexpr int value = Fib<N - 1>::value + Fib<N - 2>::value; };
template <> struct Fib<0> { static constexpr int value = 0; };
template <> struct Fib<1> { static constexpr int value = 1; };
template <typename T, int N> struct Stack {
  T items[N];
  int size = 0;
  void push(T item) { items[size++] = std::move(item); }
  T pop() { return std::move(items[--size]); }
  template <typename F> void each(F f) const { for (int i = 0; i < size; ++i) f(items[i]); }
};
template <typename T> concept Number = std::is_arithmetic_v<T>;
template <Number T> const char* classify(T) { return std::is_floating_point_v<T> ? "floating" : "whole"; }
template <typename T> const char* classify(T*) { return "pointer"; }
struct Owner {
  int* p;
  explicit Owner(int v) : p(new int(v)) {}
  Owner(Owner&& o) noexcept : p(std::exchange(o.p, nullptr)) {}
  Owner& operator=(Owner&& o) noexcept { std::swap(p, o.p); return *this; }
  Owner() : p(nullptr) {}
  ~Owner() { if (p) std::printf("~%d\n", *p); delete p; }
};
constexpr int power(int b, int e) { return e == 0 ? 1 : b * power(b, e - 1); }
static_assert(power(3, 4) == 81);
int total(std::initializer_list<int> list) { int t = 0; for (int v : list) t += v; return t; }

int main() {
  std::printf("%d %d %d\n", sum(1, 2, 3), sum(), Fib<20>::value);
  int n = 5;
  auto add = [n](int x) { return x + n; };
  auto count = [&n, calls = 0]() mutable { n += 10; return ++calls; };
  count(); count();
  std::printf("%d %d %d\n", add(1), n, count());
  auto generic = [](auto a, auto b) { return a * b; };
  std::printf("%d %g\n", generic(6, 7), generic(1.5, 2));
  auto fact = [](auto self, int k) -> long { return k < 2 ? 1 : k * self(self, k - 1); };
  std::printf("%ld\n", fact(fact, 15));
  Stack<Owner, 4> stack;
  stack.push(Owner(1)); stack.push(Owner(2)); stack.push(Owner(3));
  { Owner top = stack.pop(); std::printf("top %d\n", *top.p); }
  stack.each([](const Owner& o) { std::printf("each %d\n", *o.p); });
  std::printf("%s %s %s\n", classify(1), classify(1.0f), classify("x"));
  std::printf("%d %d\n", total({1, 2, 3, 4}), apply([](int a, int& b) { return a + b++; }, 2, n));
  struct Pair { int a; double b; } pair{3, 4.5};
  auto [a, b] = pair;
  auto& [c, d] = pair;
  c = 9; d += a;
  std::printf("%d %g %d %g\n", a, b, pair.a, pair.b);
  int (*plain)(int) = [](int x) { return -x; };
  if (int k = plain(4); k < 0) std::printf("%d\n", k);
  Owner held(7);
  auto holder = [held = std::move(held)] { return held.p ? *held.p : 0; };
  std::printf("%d %d\n", holder(), held.p == nullptr);
  return 0;
}
