// dynamic_cast in hierarchies of all shapes, typeid of polymorphic and other operands.
#include <cstdio>
#include <typeinfo>

struct Animal { virtual ~Animal() {} };
struct Swims { virtual ~Swims() {} int depth = 3; };
struct Flies { virtual ~Flies() {} int height = 4; };
struct Duck : Animal, Swims, Flies {};
struct Fish : Animal, Swims {};
struct Rock {};
struct Wrapped : private Swims, public Animal { Swims* swims() { return this; } };
struct V { virtual ~V() {} int v = 1; };
struct VA : virtual V { int a = 2; };
struct VB : virtual V { int b = 3; };
struct VC : VA, VB { int c = 4; };
struct N1 : V { int n1 = 5; };
struct N2 : V { int n2 = 6; };
struct N : N1, N2 { int n = 7; };
struct Chain0 { virtual ~Chain0() {} }; struct Chain1 : Chain0 {}; struct Chain2 : Chain1 {}; struct Chain3 : Chain2 {};

template <typename To, typename From> int can(From* from) { return dynamic_cast<To*>(from) != nullptr; }

int main() {
  Duck duck; Fish fish; Wrapped wrapped; VC vc; N n; Chain3 chain; Chain1 shorter;
  Animal* animals[] = {&duck, &fish, &wrapped};
  for (Animal* a : animals)
    std::printf("%d %d %d %d\n", can<Swims>(a), can<Flies>(a), can<Duck>(a), can<Fish>(a));
  std::printf("%d\n", can<Animal>(wrapped.swims()));
  Swims* s = dynamic_cast<Swims*>(animals[0]);
  std::printf("%d %d\n", s->depth, dynamic_cast<Flies*>(s)->height);
  V* v = &vc;
  std::printf("%d %d %d\n", dynamic_cast<VA*>(v)->a, dynamic_cast<VB*>(v)->b, dynamic_cast<VC*>(v)->c);
  N1* n1 = &n;
  V* through1 = static_cast<N1*>(&n);
  std::printf("%d %d %d %d\n", dynamic_cast<N2*>(n1)->n2, can<N>(through1), can<N2>(through1), can<N1>(through1));
  Chain0* c = &chain;
  Chain0* d = &shorter;
  std::printf("%d %d %d %d\n", can<Chain3>(c), can<Chain2>(c), can<Chain1>(d), can<Chain2>(d));
  std::printf("%d %d\n", dynamic_cast<void*>(s) == &duck, can<Duck>(static_cast<Flies*>(&duck)));
  std::printf("%s %s %s\n", typeid(*animals[1]).name(), typeid(Rock).name(), typeid(const int&).name());
  std::printf("%d %d\n", typeid(*s) == typeid(Duck), typeid(s) == typeid(Swims*));
  Duck& ref = dynamic_cast<Duck&>(*animals[0]);
  std::printf("%d\n", &ref == &duck);
  Animal* none = nullptr;
  std::printf("%d\n", can<Duck>(none));
}
