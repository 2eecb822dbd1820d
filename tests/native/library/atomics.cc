// Atomics of every width and kind, atomic_ref, atomic_flag, atomics of structures and shared pointers, fences.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <thread>
#include <vector>

struct Pair {
  int32_t a, b;
  bool operator==(const Pair&) const = default;
};
struct Triple {
  int64_t a, b, c;
};
enum class Colour : uint8_t { Red, Green };

template <typename T>
static void arithmetic(const char* name) {
  std::atomic<T> value{T(5)};
  const T one = value.fetch_add(T(3)), two = value.fetch_sub(T(1)), three = value++, four = --value;
  const T five = value.fetch_and(T(6)), six = value.fetch_or(T(9)), seven = value.fetch_xor(T(3));
  T expected = T(0);
  const bool failed = value.compare_exchange_strong(expected, T(1));
  const bool done = value.compare_exchange_strong(expected, T(100));
  std::printf("%s %d %d %d %d %d %d %d %d %d %d %d\n", name, int(one), int(two), int(three), int(four), int(five),
              int(six), int(seven), failed, int(expected), done, int(value.exchange(T(2))));
}

template <typename T>
static void counted(const char* name) {
  std::atomic<T> value{};
  std::thread a([&] { for (int n = 0; n < 20; ++n) value.fetch_add(T(1), std::memory_order_relaxed); });
  std::thread b([&] { for (int n = 0; n < 20; ++n) ++value; });
  a.join();
  b.join();
  std::printf("%s %d\n", name, int(value));
}

int main() {
  arithmetic<int8_t>("int8");
  arithmetic<uint8_t>("uint8");
  arithmetic<int16_t>("int16");
  arithmetic<uint32_t>("uint32");
  arithmetic<int64_t>("int64");
  counted<signed char>("char");
  counted<short>("short");
  counted<unsigned long>("long");

  std::atomic<double> real{1.5};
  double was = real.load();
  while (!real.compare_exchange_weak(was, was * 3)) {
  }
  std::printf("%g", real.load());
  real.fetch_add(0.25);
  std::printf(" %g\n", real.load());
  std::atomic<bool> flag{false};
  std::printf("%d%d\n", flag.exchange(true), flag.load());
  int array[4] = {1, 2, 3, 4};
  std::atomic<int*> pointer{array};
  pointer += 2;
  std::printf("%d %d\n", *pointer, int(pointer.fetch_sub(1) - array));
  std::atomic<Colour> colour{Colour::Red};
  colour = Colour::Green;
  std::printf("%d\n", int(colour.load()));

  std::atomic<Pair> pair{Pair{1, 2}};
  Pair old = pair.load();
  std::printf("%d", pair.compare_exchange_strong(old, Pair{3, 4}));
  std::printf("%d %d %d\n", pair.compare_exchange_strong(old, Pair{9, 9}), old.a, old.b);
  std::atomic<Triple> triple{Triple{1, 2, 3}};
  Triple seen = triple.exchange(Triple{4, 5, 6});
  std::printf("%ld %ld\n", long(seen.c), long(triple.load().b));

  int plain = 0;
  {
    std::thread a([&] { std::atomic_ref<int>(plain).fetch_add(4); }), b([&] { std::atomic_ref<int> r(plain); ++r; });
    a.join();
    b.join();
  }
  std::printf("ref %d\n", plain);

  std::atomic_flag lock = ATOMIC_FLAG_INIT;
  int guarded = 0;
  auto spin = [&] {
    for (int n = 0; n < 3; ++n) {
      while (lock.test_and_set(std::memory_order_acquire)) std::this_thread::yield();
      ++guarded;
      lock.clear(std::memory_order_release);
    }
  };
  {
    std::thread a(spin), b(spin);
    a.join();
    b.join();
  }
  std::printf("guarded %d\n", guarded);

  int message = 0;
  std::atomic<int> ready{0};
  std::thread sender([&] {
    message = 42;
    std::atomic_thread_fence(std::memory_order_release);
    ready.store(1, std::memory_order_relaxed);
  });
  while (!ready.load(std::memory_order_relaxed)) std::this_thread::yield();
  std::atomic_thread_fence(std::memory_order_acquire);
  std::printf("message %d\n", message);
  sender.join();

  auto shared = std::make_shared<int>(1);
  std::atomic<std::shared_ptr<int>> slot(shared);
  std::thread writer([&] { slot.store(std::make_shared<int>(2)); });
  const int first = *slot.load();
  writer.join();
  std::printf("shared %d %d %ld\n", first == 1 || first == 2, *slot.load(), shared.use_count());
  std::shared_ptr<int> free_slot = std::make_shared<int>(5);
  std::thread old_style([&] { std::atomic_store(&free_slot, std::make_shared<int>(6)); });
  old_style.join();
  std::printf("%d\n", *std::atomic_load(&free_slot));
  std::printf("%d %d\n", std::atomic<int>::is_always_lock_free, std::atomic<Pair>().is_lock_free());
}
