#include <cstdio>
#include <exception>
#include <typeinfo>
#include <new>
struct A { virtual ~A() {} int a = 1; };
struct B : virtual A { int b = 2; };
struct C : virtual A { int c = 3; };
struct D : B, C { int d = 4; };
struct P { virtual ~P() {} };
struct Q : private P {};
struct E1 : A {}; struct E2 : A {}; struct Amb : E1, E2 {};
template <typename T> void t(const char* n, T v) { std::printf("%s: ", n);
  try { throw v; }
  catch (const P&) { std::printf("P\n"); }
  catch (A& a) { std::printf("A %d\n", a.a); }
  catch (const int* p) { std::printf("const int* %d\n", p ? *p : -1); }
  catch (A* p) { std::printf("A* %d\n", p ? p->a : -1); }
  catch (const void* p) { std::printf("const void* %d\n", p != nullptr); }
  catch (double x) { std::printf("double %g\n", x); }
  catch (...) { std::printf("...\n"); } }
struct Unwinder { int n; Unwinder(int n) : n(n) {} ~Unwinder() { std::printf("~U%d uncaught %d\n", n, std::uncaught_exceptions()); 
  try { throw n; } catch (int k) { std::printf("inner %d uncaught %d\n", k, std::uncaught_exceptions()); } } };
struct Member { Member(int k) { if (k == 3) throw k; std::printf("M%d\n", k); } ~Member() { std::printf("~M\n"); } };
struct Try { Member a, b; Try(int k) try : a(1), b(k) { std::printf("Try\n"); } catch (int x) { std::printf("ctor caught %d\n", x); } };
void f() {}
std::exception_ptr keep;
struct Res { static int live; Res() { ++live; } Res(const Res&) { ++live; } ~Res() { --live; } };
int Res::live = 0;
int main() {
  D d; t("D", d); t("Q", Q()); t("Amb", Amb());
  int i = 9; t("int*", &i); t("D*", &d); t("nullptr", nullptr); t("fn", &f); t("float", 1.5f); t("double", 2.5);
  const D* cd = &d; t("const D*", cd);
  try { Unwinder u(1); Unwinder v(2); throw 'c'; } catch (char c) { std::printf("char %c\n", c); }
  try { Try x(2); Try y(3); } catch (int k) { std::printf("out %d\n", k); }
  try { throw Res(); } catch (Res& r) { std::printf("live %d\n", Res::live); keep = std::current_exception(); }
  std::printf("live %d\n", Res::live);
  for (int k = 0; k < 2; ++k) try { std::rethrow_exception(keep); } catch (Res&) { std::printf("again %d\n", Res::live); }
  keep = nullptr; std::printf("live %d\n", Res::live);
  std::exception_ptr m = std::make_exception_ptr(5); try { std::rethrow_exception(m); } catch (int k) { std::printf("made %d\n", k); }
  A* a = &d; C* c = dynamic_cast<C*>(a); B* b = dynamic_cast<B*>(c); P* p = dynamic_cast<P*>(a);
  std::printf("%d %d %d %d\n", c->c, b->b, p == nullptr, dynamic_cast<void*>(c) == static_cast<void*>(&d));
  std::printf("%s %s %d\n", typeid(*a).name(), typeid(int*).name(), typeid(*a) == typeid(D));
  try { try { throw 1; } catch (int) { try { throw 2.0; } catch (double) { throw; } } } catch (double x) { std::printf("d %g\n", x); }
  try { try { throw 1; } catch (int) { try { throw 2.0; } catch (double) { } throw; } } catch (int x) { std::printf("i %d\n", x); }
  int* n = new int[10]; delete[] n; n = new (std::nothrow) int(4); delete n;
  struct alignas(64) Big { char c[64]; }; Big* big = new Big; delete big;
  std::set_terminate([] { std::printf("terminating\n"); std::fflush(stdout); __builtin_trap(); });
  std::printf("%d\n", std::get_terminate() != nullptr);
  return 0;
}
