// Static locals: initialised once, in the order of first use, again after an initialiser that threw.
#include <cstdio>

struct Log {
  const char* name;
  explicit Log(const char* n) : name(n) { std::printf("+%s\n", n); }
  ~Log() { std::printf("-%s\n", name); }
};
int attempts = 0;
int risky() { if (++attempts < 3) throw attempts; return attempts * 10; }
int value() { static Log before("before"); static int v = risky(); static Log after("after"); return v; }
Log& inner() { static Log l("inner"); return l; }
Log& outer() { static Log l(inner().name[0] == 'i' ? "outer" : "?"); return l; }
template <int N> int counter() { static int n = N; return n++; }
struct Late { int v; Late() : v(counter<100>()) {} };
inline Late late;
inline int plain = counter<100>();
template <typename T> struct Holder { static T shared; };
template <typename T> T Holder<T>::shared{};

int main() {
  for (int k = 0; k < 4; ++k) {
    try { std::printf("value %d\n", value()); } catch (int e) { std::printf("failed %d\n", e); }
  }
  std::printf("%s %s\n", outer().name, outer().name);
  std::printf("%d %d %d\n", counter<1>(), counter<1>(), counter<2>());
  std::printf("%d %d %d\n", late.v, plain, counter<100>());
  Holder<int>::shared += 2;
  std::printf("%d %p\n", Holder<int>::shared, static_cast<void*>(Holder<int*>::shared));
}
