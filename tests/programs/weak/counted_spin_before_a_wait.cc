// Only where two stores are buffered does anybody wait; a semaphore's usual 10,000 rounds come before the wait.
// SAYS: "memoryModel":"rc11"
// SAYS: reads one variable or tries one operation in vain again and again
#include <semaphore.h>

#include <atomic>
#include <thread>

std::atomic<int> x{0}, y{0}, tokens{0};
sem_t s;

void acquire() {
  for (int spin = 10000; spin--;) {
    int t = tokens.load(std::memory_order_relaxed);
    if (t > 0 && tokens.compare_exchange_strong(t, t - 1, std::memory_order_acquire)) return;
  }
  sem_wait(&s);  // ERROR(deadlock|lost-signal)!
}

int main() {
  sem_init(&s, 0, 0);
  int a = 1, b = 1;
  std::thread first([&] {
    x.store(1, std::memory_order_relaxed);
    a = y.load(std::memory_order_relaxed);
  });
  std::thread second([&] {
    y.store(1, std::memory_order_relaxed);
    b = x.load(std::memory_order_relaxed);
  });
  first.join();
  second.join();
  if (a + b == 0) acquire();
}
