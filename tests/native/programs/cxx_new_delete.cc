// operator new and delete: cookies, throwing constructors, replaced per class and placement forms, overaligned types.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <new>

int alive = 0;
struct Item { static int limit; int id; Item() : id(alive) { if (alive == limit) throw alive; ++alive; } ~Item() { --alive; std::printf("~%d ", id); } };
int Item::limit = 100;
struct Own {
  static void* operator new(size_t size) { std::printf("own new %zu\n", size); return std::malloc(size); }
  static void operator delete(void* p) { std::printf("own delete\n"); std::free(p); }
  static void* operator new[](size_t size) { std::printf("own new[] %zu\n", size); return std::malloc(size); }
  static void operator delete[](void* p, size_t size) { std::printf("own delete[] %zu\n", size); std::free(p); }
  ~Own() {}
  int v = 3;
};
struct Placed { int v; Placed(int x) : v(x) { if (x < 0) throw x; } static void* operator new(size_t n, int tag) { std::printf("tag %d\n", tag); return std::malloc(n); } static void operator delete(void* p, int tag) { std::printf("undo %d\n", tag); std::free(p); } static void operator delete(void* p) { std::free(p); } };
struct alignas(128) Wide { char c[128]; Wide() { c[0] = 1; } };
struct Base { virtual ~Base() { std::printf("~Base\n"); } int b = 0; };
struct Sized : Base { ~Sized() override { std::printf("~Sized\n"); } long more[4] = {}; };

int main() {
  Item* items = new Item[4];
  delete[] items;
  std::printf("\nalive %d\n", alive);
  Item::limit = 3;
  try { items = new Item[5]; } catch (int at) { std::printf("\nthrown at %d alive %d\n", at, alive); }
  delete new Own;
  delete[] new Own[2];
  try { new (8) Placed(-1); } catch (int x) { std::printf("caught %d\n", x); }
  Placed* p = new (9) Placed(4); std::printf("%d\n", p->v); delete p;
  Wide* w = new Wide; std::printf("%d\n", static_cast<int>(reinterpret_cast<std::uintptr_t>(w) % 128)); delete w;
  Wide* many = new Wide[3]; std::printf("%d\n", static_cast<int>(reinterpret_cast<std::uintptr_t>(many) % 128)); delete[] many;
  alignas(Item) unsigned char room[sizeof(Item)];
  Item::limit = 100;
  Item* in_place = new (room) Item; in_place->~Item();
  Base* b = new Sized; delete b;
  int* n = new (std::nothrow) int[3]{1, 2, 3}; std::printf("\n%d\n", n[0] + n[1] + n[2]); delete[] n;
  delete static_cast<int*>(nullptr);
  void* raw = ::operator new(10); ::operator delete(raw, 10);
  return alive;
}
