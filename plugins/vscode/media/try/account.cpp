// A bank account that two threads use. Heddle checks this file whenever you save it.
#include <cassert>
#include <mutex>
#include <thread>

class Account {
 public:
  void deposit(int amount) {
    std::lock_guard<std::mutex> guard(mutex_);
    balance_ += amount;
  }

  void withdraw(int amount) {
    std::lock_guard<std::mutex> guard(mutex_);  // try it: delete this line and save
    balance_ -= amount;
  }

  int balance() {
    std::lock_guard<std::mutex> guard(mutex_);
    return balance_;
  }

 private:
  std::mutex mutex_;
  int balance_ = 100;
};

int main() {
  Account account;
  std::thread saver([&] { account.deposit(50); });
  std::thread spender([&] { account.withdraw(30); });
  saver.join();
  spender.join();
  assert(account.balance() == 120);
}
