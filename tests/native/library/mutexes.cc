// Mutex kinds, guards and std::lock.
#include <chrono>
#include <cstdio>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

static std::mutex plain;
static std::recursive_mutex recursive;
static std::timed_mutex timed;
static std::recursive_timed_mutex recursive_timed;
static std::shared_mutex shared;
static std::shared_timed_mutex shared_timed;

static int counter;

static int depth(int n) {
  std::lock_guard<std::recursive_mutex> guard(recursive);
  return n == 0 ? 0 : 1 + depth(n - 1);
}

struct Account {
  std::mutex mutex;
  int money = 100;
};

static void transfer(Account& from, Account& to, int amount) {
  std::scoped_lock lock(from.mutex, to.mutex);
  from.money -= amount;
  to.money += amount;
}

int main() {
  std::vector<std::thread> threads;
  for (int n = 0; n < 3; ++n)
    threads.emplace_back([] {
      for (int k = 0; k < 5; ++k) {
        std::lock_guard guard(plain);
        ++counter;
      }
    });
  for (auto& thread : threads) thread.join();
  threads.clear();
  std::printf("%d\n", counter);
  std::printf("depth %d\n", depth(5));

  {
    std::unique_lock<std::mutex> lock(plain, std::defer_lock);
    std::printf("%d", lock.owns_lock());
    lock.lock();
    std::printf("%d", lock.owns_lock());
    std::unique_lock<std::mutex> moved(std::move(lock));
    std::printf("%d%d", lock.owns_lock(), static_cast<bool>(moved));
    moved.unlock();
    std::unique_lock<std::mutex> again(plain, std::try_to_lock);
    std::printf("%d", again.owns_lock());
    again.release()->unlock();
    try {
      moved.unlock();
    } catch (const std::system_error& error) {
      std::printf(" %s\n", error.code() == std::errc::operation_not_permitted ? "not permitted" : "?");
    }
  }
  {
    plain.lock();
    bool got = true;
    std::thread([&] { got = plain.try_lock(); }).join();
    plain.unlock();
    std::printf("try while held: %d\n", got);
  }
  {
    std::unique_lock<std::timed_mutex> lock(timed);
    bool got = true;
    std::thread([&] { got = timed.try_lock_for(std::chrono::milliseconds(1)); }).join();
    std::printf("timed: %d\n", got);
    lock.unlock();
    std::printf("timed: %d\n", timed.try_lock_until(std::chrono::steady_clock::now() + std::chrono::seconds(5)));
    timed.unlock();
    recursive_timed.lock();
    std::printf("recursive timed: %d\n", recursive_timed.try_lock_for(std::chrono::milliseconds(1)));
    recursive_timed.unlock();
    recursive_timed.unlock();
  }
  Account a, b;
  threads.emplace_back(transfer, std::ref(a), std::ref(b), 30);
  threads.emplace_back(transfer, std::ref(b), std::ref(a), 10);
  for (auto& thread : threads) thread.join();
  threads.clear();
  std::printf("%d %d\n", a.money, b.money);
  {
    std::unique_lock<std::mutex> la(a.mutex, std::defer_lock), lb(b.mutex, std::defer_lock);
    std::lock(la, lb);
    std::printf("both %d %d\n", la.owns_lock(), lb.owns_lock());
  }
  std::printf("try_lock %d\n", std::try_lock(a.mutex, b.mutex));
  a.mutex.unlock();
  b.mutex.unlock();

  int value = 0, sum = 0;
  std::mutex sum_lock;
  for (int n = 0; n < 2; ++n)
    threads.emplace_back([&] {
      std::unique_lock<std::shared_mutex> lock(shared);
      ++value;
    });
  for (int n = 0; n < 2; ++n)
    threads.emplace_back([&] {
      std::shared_lock<std::shared_mutex> lock(shared);
      const int seen = value;
      std::lock_guard guard(sum_lock);
      sum += seen >= 0;
    });
  for (auto& thread : threads) thread.join();
  std::printf("%d %d\n", value, sum);
  shared.lock_shared();
  std::printf("%d %d\n", shared.try_lock_shared(), shared.try_lock());
  shared.unlock_shared();
  shared.unlock_shared();
  {
    std::shared_lock<std::shared_timed_mutex> lock(shared_timed, std::chrono::milliseconds(3));
    std::printf("%d\n", lock.owns_lock());
    bool got = true;
    std::thread([&] { got = shared_timed.try_lock_for(std::chrono::milliseconds(1)); }).join();
    std::printf("%d\n", got);
  }
}
