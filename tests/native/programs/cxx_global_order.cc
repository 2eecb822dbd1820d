// Order of initialisation and destruction: priorities, attributes, dynamic and constant initialisers, atexit.
#include <cstdio>
#include <cstdlib>

struct G { const char* n; G(const char* s) : n(s) { std::printf("+%s\n", n); } ~G() { std::printf("-%s\n", n); } };
static int dynamic(int k) { std::printf("dynamic %d\n", k); return k; }
G first("first");
__attribute__((init_priority(200))) G early("early");
__attribute__((init_priority(300))) G later("later");
int a = dynamic(1);
constinit int constant = 5;
int b = dynamic(constant + 1);
namespace { G hidden("hidden"); }
G pair[2] = {G("pair 0"), G("pair 1")};
thread_local G tl("thread local");
__attribute__((constructor)) void before() { std::printf("before\n"); }
__attribute__((destructor)) void after() { std::printf("after\n"); }
void bye() { std::printf("bye\n"); }
int main() {
  std::printf("main %s\n", tl.n);
  static G in_main("in main");
  std::atexit(bye);
  static G last("last");
  std::exit(4);
}
