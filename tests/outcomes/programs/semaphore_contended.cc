// libstdc++ 12: acquire() reads the counter, tries 16 times and then sleeps until the counter differs from what it
// read at first. One thread reads 1, the other takes the permit before the first try and gives it back after the last:
// nobody sleeps yet, so nobody is woken, and the sleep begins beside a free semaphore. A native run does the same when
// the predicate of __atomic_wait_address_bare makes these two steps itself.
// OUTCOME: exit 0, prints "2"
// OUTCOME: stuck, prints ""
// FINDINGS: deadlock
// FINDINGS-COUNT: 1
#include <cstdio>
#include <semaphore>
#include <thread>

std::binary_semaphore permit{1};
int uses;

void use() {
  permit.acquire();
  ++uses;
  permit.release();
}

int main() {
  std::thread a(use), b(use);
  a.join();
  b.join();
  std::printf("%d", uses);
}
