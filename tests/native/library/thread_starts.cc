// Threads that begin in one function of the library each, whatever they were given to run.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>
namespace {
std::mutex lock;
std::vector<std::string> told;
void tell(const std::string& text) {
  std::lock_guard<std::mutex> guard(lock);
  told.push_back(text);
}
int one() {
  tell("one");
  return 1;
}
int two() {
  tell("two");
  return 2;
}
void plain() { tell("plain"); }
void other() { tell("other"); }
std::once_flag flag;
void caller() {
  std::call_once(flag, plain);
  std::invoke(other);
}
struct Base {
  virtual ~Base() { tell("~Base"); }
  virtual void run() { tell("Base::run"); }
  void fixed() { tell("fixed"); }
  void set() { tell("set"); }
};
struct Derived : Base {
  ~Derived() override { tell("~Derived"); }
  void run() override { tell("Derived::run"); }
};
void take(std::unique_ptr<Base> base) { base->run(); }
void drop(std::unique_ptr<Base>) { tell("drop"); }
void chain(int depth) {
  tell("chain " + std::to_string(depth));
  if (depth > 0) std::async(std::launch::async, chain, depth - 1).get();
}
struct Functor {
  int n;
  void operator()(int k) const { tell("functor " + std::to_string(n * k)); }
};
}  // namespace
int main() {
  {
    auto a = std::async(std::launch::async, one);
    auto b = std::async(std::launch::async, two);
    auto c = std::async(std::launch::deferred, one);
    auto d = std::async(std::launch::async, [] {
      tell("lambda");
      return 3;
    });
    std::printf("%d\n", a.get() + b.get() + c.get() + d.get());
  }
  {
    std::packaged_task<int()> a(one), b([] {
      tell("task");
      return 5;
    }),
        c(two);
    auto fa = a.get_future(), fb = b.get_future(), fc = c.get_future();
    std::thread x(std::move(a)), y(std::move(b)), z(std::move(c));
    std::printf("%d\n", fa.get() + fb.get() + fc.get());
    x.join(), y.join(), z.join();
  }
  {
    std::function<void()> f = plain, g = [] { tell("held"); }, h = std::bind(tell, "bound"), k = f;
    std::thread a(f), b(g), c(h), d(k), e(std::ref(g));
    a.join(), b.join(), c.join(), d.join(), e.join();
  }
  {
    std::thread a(caller), b(plain), c(other);
    a.join(), b.join(), c.join();
  }
  {
    Derived derived;
    Base base;
    std::thread a(&Base::run, &derived), b(&Base::run, &base), c(&Base::fixed, &base), d(&Base::set, &derived);
    a.join(), b.join(), c.join(), d.join();
    std::thread e(take, std::make_unique<Derived>()), f(drop, std::make_unique<Derived>());
    e.join(), f.join();
  }
  chain(3);
  std::vector<std::thread> pool;
  for (int k = 0; k < 2; ++k) pool.emplace_back(Functor{k + 1}, 2);
  pool.emplace_back(std::function<void(int)>(Functor{7}), 3);
  pool.emplace_back(std::function<void(int)>(chain), 0);
  void (*either[])() = {plain, other};
  for (auto* f : either) pool.emplace_back(f);
  for (auto& thread : pool) thread.join();
  std::sort(told.begin(), told.end());
  for (const std::string& text : told) std::printf("%s\n", text.c_str());
}
