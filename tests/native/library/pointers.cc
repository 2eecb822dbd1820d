// unique_ptr, shared_ptr, weak_ptr, enable_shared_from_this, aliasing, casts, deleters, allocate_shared, across threads.
#include <atomic>
#include <cstdio>
#include <memory>
#include <memory_resource>
#include <string>
#include <thread>
#include <vector>

struct Base : std::enable_shared_from_this<Base> {
  static inline std::atomic<int> alive{0};
  Base() { ++alive; }
  virtual ~Base() { --alive; }
  virtual const char* name() const { return "base"; }
  std::shared_ptr<Base> self() { return shared_from_this(); }
};
struct Derived : Base {
  const char* name() const override { return "derived"; }
  int member = 5;
};

struct Node {
  int value;
  std::shared_ptr<Node> next;
  std::weak_ptr<Node> previous;
  ~Node() { std::printf("~%d ", value); }
};

int main() {
  {
    std::unique_ptr<Base> one = std::make_unique<Derived>();
    std::unique_ptr<Base> two = std::move(one);
    std::printf("%d %s %d\n", one == nullptr, two->name(), Base::alive.load());
    std::unique_ptr<int[]> array(new int[5]{1, 2, 3});
    std::printf("%d\n", array[2] + array[4]);
    auto closed = [](FILE*) { std::printf("closed\n"); };
    std::unique_ptr<FILE, decltype(closed)> file(stdout, closed);
  }
  std::printf("alive %d\n", Base::alive.load());
  {
    auto first = std::make_shared<Derived>();
    std::shared_ptr<Base> second = first, third = second->self();
    std::weak_ptr<Base> weak = third;
    std::printf("%ld %d\n", first.use_count(), weak.expired());
    std::shared_ptr<int> alias(first, &first->member);
    first.reset(), second.reset(), third.reset();
    std::printf("%d %d %ld\n", *alias, weak.expired(), weak.use_count());
    std::printf("%s %d\n", std::static_pointer_cast<Derived>(weak.lock())->name(), std::dynamic_pointer_cast<Derived>(weak.lock()) != nullptr);
    alias.reset();
    std::printf("%d %d\n", weak.expired(), weak.lock() == nullptr);
    try {
      std::shared_ptr<Base> dead(weak);
    } catch (const std::bad_weak_ptr& error) {
      std::printf("%s\n", error.what());
    }
    Base unowned;
    try {
      (void)unowned.self();
    } catch (const std::bad_weak_ptr&) {
      std::printf("not owned\n");
    }
  }
  {
    auto head = std::make_shared<Node>(Node{1, nullptr, {}});
    head->next = std::make_shared<Node>(Node{2, nullptr, head});
    head->next->next = std::make_shared<Node>(Node{3, nullptr, head->next});
    std::printf("\n%d\n", head->next->next->previous.lock()->value);
  }
  std::printf("\n");
  {
    auto shared = std::make_shared<std::string>("shared between threads");
    std::weak_ptr<std::string> watch = shared;
    std::atomic<size_t> total{0};
    std::vector<std::thread> threads;
    for (int n = 0; n < 3; ++n) threads.emplace_back([shared, &total] { total += shared->size(); });
    shared.reset();
    for (auto& thread : threads) thread.join();
    threads.clear();
    std::printf("%zu %d\n", total.load(), watch.expired());
  }
  {
    std::shared_ptr<int> custom(new int(3), [](int* p) { std::printf("deleting %d\n", *p), delete p; });
    auto allocated = std::allocate_shared<std::string>(std::allocator<std::string>(), 3, 'z');
    std::printf("%s\n", allocated->c_str());
    std::shared_ptr<void> erased = custom;
    std::printf("%ld %d\n", erased.use_count(), custom.owner_before(erased));
    auto array = std::make_shared<int[]>(4);
    array[3] = 8;
    std::printf("%d\n", array[3] + array[0]);
  }
  std::pmr::vector<int> numbers(std::pmr::new_delete_resource());
  for (int n = 0; n < 10; ++n) numbers.push_back(n);
  std::printf("%zu %d alive %d\n", numbers.size(), std::pmr::get_default_resource() == std::pmr::new_delete_resource(), Base::alive.load());
}
