// An account whose lock is a member: no deposit or withdrawal makes it negative.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <cassert>
#include <mutex>
#include <thread>

extern "C" int __VERIFIER_nondet_int(void);

class Account {
 public:
  bool withdraw(int amount) {
    const std::lock_guard<std::mutex> lock(guard_);
    if (amount < 0 || amount > balance_) return false;
    balance_ -= amount;
    return true;
  }
  int balance() {
    const std::lock_guard<std::mutex> lock(guard_);
    return balance_;
  }

 private:
  std::mutex guard_;
  int balance_ = 50;
};

int main() {
  Account account;
  std::thread thread([&] { account.withdraw(__VERIFIER_nondet_int()); });
  account.withdraw(__VERIFIER_nondet_int());
  thread.join();
  assert(account.balance() >= 0 && account.balance() <= 50);
}
