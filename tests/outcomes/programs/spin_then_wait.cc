// A semaphore that looks at its counter a thousand times before it waits: all orders of taking and giving are met, the
// one in which the wait begins first among them.
// OUTCOME: exit 0, prints "spun"
// OUTCOME: exit 0, prints "waited"
#include <semaphore.h>

#include <atomic>
#include <cstdio>
#include <thread>

std::atomic<int> count{0};
sem_t sleeping;
bool waited;

void take() {
  for (int left = 1000; left > 0; --left)
    if (count.load() > 0) {
      count.fetch_sub(1);
      return;
    }
  if (count.fetch_sub(1) > 0) return;
  waited = true;
  sem_wait(&sleeping);
}

void give() {
  if (count.fetch_add(1) < 0) sem_post(&sleeping);
}

int main() {
  sem_init(&sleeping, 0, 0);
  std::thread taker(take);
  give();
  taker.join();
  std::printf("%s", waited ? "waited" : "spun");
}
