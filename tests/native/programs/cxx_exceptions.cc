#include <cstdio>
struct Base { virtual ~Base() { std::printf("~Base\n"); } virtual int f() const { return 1; } int b = 5; };
struct Other { virtual ~Other() {} virtual const char* name() { return "other"; } int o = 7; };
struct Derived : Base, Other { int f() const override { return 2; } const char* name() override { return "derived"; } ~Derived() { std::printf("~Derived\n"); } };
struct Log { const char* n; Log(const char* n) : n(n) { std::printf("+%s\n", n); } ~Log() { std::printf("-%s\n", n); } };
static Log global("global");
int thrower(int k) {
  Log l("thrower");
  if (k == 1) throw 42;
  if (k == 2) throw Derived();
  if (k == 3) throw "text";
  return k;
}
int middle(int k) { Log l("middle"); try { return thrower(k); } catch (int x) { std::printf("int %d\n", x); throw; } }
int main() {
  for (int k = 0; k < 4; ++k) {
    try { std::printf("= %d\n", middle(k)); }
    catch (const Other& o) { std::printf("other %d\n", o.o); }
    catch (int x) { std::printf("outer int %d\n", x); }
    catch (...) { std::printf("any\n"); }
  }
  Base* b = new Derived;
  Other* o = dynamic_cast<Other*>(b);
  std::printf("%d %s\n", b->f(), o ? o->name() : "null");
  delete b;
  static Log local("local");
  thread_local Log tl("tl");
  (void)tl;
  return 3;
}
