// An account whose two halves of a withdrawal are not one critical section.
#include <cassert>
#include <mutex>
#include <thread>

class Account {
 public:
  explicit Account(int balance) : balance_(balance) {}
  bool covers(int amount) {
    std::lock_guard<std::mutex> lock(mutex_);
    return balance_ >= amount;
  }
  void take(int amount) {
    std::lock_guard<std::mutex> lock(mutex_);
    balance_ -= amount;
    assert(balance_ >= 0);
  }

 private:
  std::mutex mutex_;
  int balance_;
};

Account account(100);

void withdraw(int amount) {
  if (account.covers(amount)) account.take(amount);
}

int main() {
  std::thread one(withdraw, 70), two(withdraw, 60);
  one.join();
  two.join();
}
