// std::scoped_lock with one mutex given twice tries for ever: told at the project's line, with what it holds.
// SAYS: livelock: main loops for ever at mutex 'account.gate', which it holds itself
// SAYS: lock mutex 'account.gate'
#include <mutex>

struct Account {
  std::mutex gate;
  int balance = 10;
};

static void transfer(Account &from, Account &to, int amount) {
  std::scoped_lock both(from.gate, to.gate);  // ERROR(livelock)!
  from.balance -= amount;
  to.balance += amount;
}

int main() {
  Account account;
  transfer(account, account, 1);
}
