// The program's own operator new and delete: all forms lead to them.
#include <cstdio>
#include <cstdlib>
#include <new>

static int news, deletes;
void* operator new(size_t size) { ++news; void* p = std::malloc(size ? size : 1); if (!p) throw std::bad_alloc(); return p; }
void operator delete(void* p) noexcept { ++deletes; std::free(p); }
static void* volatile sink;  // keeps the native compiler from leaving out pairs
template <typename T> T* keep(T* p) { sink = p; return p; }
struct S { int v[10]; ~S() {} };
int main() {
  delete keep(new int);
  delete[] keep(new char[10]);
  S* s = keep(new S[3]); delete[] s;
  int* n = keep(new (std::nothrow) int); delete n;
  void* raw = keep(::operator new(5)); ::operator delete(raw, 5ul);
  std::printf("%d %d\n", news, deletes);
}
