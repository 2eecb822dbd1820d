// Operators, conversions, literals, enums, unions, bit-fields, references, default arguments, namespaces.
#include <compare>
#include <cstdint>
#include <cstdio>

namespace units { struct Metre { double v; }; constexpr Metre operator""_m(long double v) { return {static_cast<double>(v)}; } }
using namespace units;
struct Fraction {
  int n, d;
  constexpr Fraction(int a, int b = 1) : n(a), d(b) {}
  friend Fraction operator+(Fraction a, Fraction b) { return {a.n * b.d + b.n * a.d, a.d * b.d}; }
  Fraction operator-() const { return {-n, d}; }
  Fraction& operator++() { n += d; return *this; }
  Fraction operator++(int) { Fraction old = *this; ++*this; return old; }
  explicit operator bool() const { return n != 0; }
  operator double() const { return static_cast<double>(n) / d; }
  auto operator<=>(const Fraction&) const = default;
  int operator[](int k) const { return k ? d : n; }
  int operator()(int a, int b = 2) const { return n * a + d * b; }
};
struct Row { int* p; int* begin() const { return p; } int* end() const { return p + 3; } };
enum class Colour : uint8_t { Red = 1, Green, Blue };
union Bits { float f; uint32_t u; };
struct Packed { unsigned a : 3, b : 5; int c : 7; bool d : 1; };
struct Big { char text[40]; int n; };
Big change(Big b) { b.n *= 2; b.text[0] = 'B'; return b; }
int overload(int) { return 1; } int overload(long) { return 2; } int overload(const char*) { return 3; } int overload(void*, ...) { return 4; }
struct Empty {};
struct Derived : Empty { int v = 4; };
template <typename T> T&& pass(T&& v) { return static_cast<T&&>(v); }

int main() {
  Fraction a(1, 2), b = 3;
  Fraction c = a + b;
  std::printf("%d/%d %g %d\n", c.n, c.d, static_cast<double>(-c), static_cast<bool>(Fraction(0)));
  std::printf("%d %d\n", (c++)[0], c[0]);
  std::printf("%d %d %d\n", a < b, a == a, (a <=> b) == std::strong_ordering::less);
  std::printf("%d\n", c(1) + c(1, 1));
  std::printf("%g\n", (1.5_m).v);
  int v[3] = {1, 2, 3};
  int total = 0;
  for (int& x : Row{v}) total += x++;
  std::printf("%d %d\n", total, v[2]);
  switch (Colour::Blue) { case Colour::Red: std::printf("red\n"); break; case Colour::Blue: std::printf("blue %d\n", static_cast<int>(Colour::Blue)); break; default: break; }
  Bits bits; bits.f = 1.0f; std::printf("%x\n", bits.u);
  Packed p{5, 17, -3, true}; p.b += 9; std::printf("%u %u %d %d\n", p.a, p.b, p.c, p.d);
  Big big = {"abc", 21}; Big changed = change(big); std::printf("%s %d %s %d\n", big.text, big.n, changed.text, changed.n);
  std::printf("%d %d %d %d %zu\n", overload(1), overload(1L), overload("x"), overload(nullptr, 1), sizeof(Derived));
  int&& r = pass(static_cast<int&&>(total)); r += 1; std::printf("%d\n", total);
  const auto [x, y] = [] { struct P { int x, y; }; return P{1, 2}; }();
  std::printf("%d\n", x + y);
  goto end;
end:
  return static_cast<int>(a.d);
}
