// A work-stealing deque (Chase and Lev 2005; Le et al. 2013 for its memory orders): its owner and a thief.
#include <atomic>
#include <cstdio>
#include <memory>
#include <optional>
#include <thread>
#include <vector>
template <typename T>
class WorkStealingDeque {
  struct Ring {
    explicit Ring(int64_t c) : capacity(c), mask(c - 1), items(new std::atomic<T>[static_cast<size_t>(c)]) {}
    void put(int64_t i, T v) { items[i & mask].store(v, std::memory_order_relaxed); }
    T get(int64_t i) const { return items[i & mask].load(std::memory_order_relaxed); }
    Ring* grow(int64_t b, int64_t t) {
      auto* r = new Ring(2 * capacity);
      for (int64_t i = t; i != b; ++i) r->put(i, get(i));
      return r;
    }
    int64_t capacity, mask;
    std::unique_ptr<std::atomic<T>[]> items;
  };
  alignas(64) std::atomic<int64_t> top_{0};
  alignas(64) std::atomic<int64_t> bottom_{0};
  std::atomic<Ring*> ring_;
  std::vector<std::unique_ptr<Ring>> garbage_;

 public:
  explicit WorkStealingDeque(int64_t c = 2) : ring_(new Ring(c)) {}
  ~WorkStealingDeque() { delete ring_.load(); }
  void push(T v) {
    int64_t b = bottom_.load(std::memory_order_relaxed), t = top_.load(std::memory_order_acquire);
    Ring* r = ring_.load(std::memory_order_relaxed);
    if (r->capacity - 1 < b - t) {
      Ring* bigger = r->grow(b, t);
      garbage_.emplace_back(r);
      ring_.store(bigger, std::memory_order_release);
      r = bigger;
    }
    r->put(b, v);
    std::atomic_thread_fence(std::memory_order_release);
    bottom_.store(b + 1, std::memory_order_relaxed);
  }
  std::optional<T> pop() {
    int64_t b = bottom_.load(std::memory_order_relaxed) - 1;
    Ring* r = ring_.load(std::memory_order_relaxed);
    bottom_.store(b, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    int64_t t = top_.load(std::memory_order_relaxed);
    if (t > b) {
      bottom_.store(b + 1, std::memory_order_relaxed);
      return std::nullopt;
    }
    std::optional<T> v = r->get(b);
    if (t == b) {
      if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed))
        v = std::nullopt;
      bottom_.store(b + 1, std::memory_order_relaxed);
    }
    return v;
  }
  std::optional<T> steal() {
    int64_t t = top_.load(std::memory_order_acquire);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    int64_t b = bottom_.load(std::memory_order_acquire);
    if (t >= b) return std::nullopt;
    T v = ring_.load(std::memory_order_acquire)->get(t);
    if (!top_.compare_exchange_strong(t, t + 1, std::memory_order_seq_cst, std::memory_order_relaxed))
      return std::nullopt;
    return v;
  }
};
int main() {
  WorkStealingDeque<int> d;
  std::atomic<int> sum{0}, left{4};
  auto thief = [&] {
    while (left.load() > 0) {
      if (auto v = d.steal()) {
        sum += *v;
        --left;
      } else
        std::this_thread::yield();
    }
  };
  std::thread a(thief);
  for (int k = 1; k <= 4; ++k) d.push(k);
  while (auto v = d.pop()) {
    sum += *v;
    --left;
  }
  while (left.load() > 0) std::this_thread::yield();
  a.join();
  std::printf("%d\n", sum.load());
}
