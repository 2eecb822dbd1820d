// A bank: accounts in a map, transfers by worker threads over a queue, a journal, a report; every kind of container.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <unordered_map>
#include <variant>
#include <vector>

namespace bank {

using Cents = long long;

class InsufficientFunds : public std::runtime_error {
 public:
  InsufficientFunds(const std::string& who, Cents missing)
      : std::runtime_error(who + " lacks " + std::to_string(missing)), missing_(missing) {}
  Cents missing() const noexcept { return missing_; }

 private:
  Cents missing_;
};

class Account {
 public:
  Account(std::string owner, Cents balance) : owner_(std::move(owner)), balance_(balance) {}
  virtual ~Account() = default;
  const std::string& owner() const { return owner_; }
  Cents balance() const { return balance_; }
  void deposit(Cents amount) {
    if (amount < 0) throw std::invalid_argument("negative deposit");
    balance_ += amount;
  }
  virtual void withdraw(Cents amount) {
    if (amount > balance_) throw InsufficientFunds(owner_, amount - balance_);
    balance_ -= amount;
  }
  virtual const char* kind() const { return "plain"; }
  std::mutex& mutex() const { return mutex_; }

 protected:
  std::string owner_;
  Cents balance_;
  mutable std::mutex mutex_;
};

class CreditAccount final : public Account {
 public:
  CreditAccount(std::string owner, Cents balance, Cents limit) : Account(std::move(owner), balance), limit_(limit) {}
  void withdraw(Cents amount) override {
    if (amount > balance_ + limit_) throw InsufficientFunds(owner_, amount - balance_ - limit_);
    balance_ -= amount;
  }
  const char* kind() const override { return "credit"; }

 private:
  Cents limit_;
};

struct Transfer {
  std::string from, to;
  Cents amount;
};
struct Deposit {
  std::string to;
  Cents amount;
};
struct Audit {};
using Order = std::variant<Transfer, Deposit, Audit>;

class OrderQueue {
 public:
  void push(Order order) {
    {
      std::lock_guard lock(mutex_);
      orders_.push_back(std::move(order));
    }
    ready_.notify_one();
  }
  void close() {
    {
      std::lock_guard lock(mutex_);
      closed_ = true;
    }
    ready_.notify_all();
  }
  std::optional<Order> pop() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [this] { return closed_ || !orders_.empty(); });
    if (orders_.empty()) return {};
    std::optional<Order> order(std::move(orders_.front()));
    orders_.pop_front();
    return order;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Order> orders_;
  bool closed_ = false;
};

class Bank {
 public:
  template <typename Kind, typename... Arguments>
  void open(const std::string& owner, Arguments&&... arguments) {
    auto [at, fresh] = accounts_.try_emplace(owner, std::make_unique<Kind>(owner, std::forward<Arguments>(arguments)...));
    if (!fresh) throw std::logic_error("account " + owner + " exists");
  }

  void execute(const Order& order) {
    std::visit([this](const auto& what) { run(what); }, order);
  }

  Cents total() const {
    return std::accumulate(accounts_.begin(), accounts_.end(), Cents{0},
                           [](Cents sum, const auto& entry) { return sum + entry.second->balance(); });
  }

  void report(std::ostream& out) const {
    out << std::left << std::setw(8) << "owner" << std::right << std::setw(10) << "balance" << '\n';
    for (const auto& [owner, account] : accounts_)
      out << std::left << std::setw(8) << owner << std::right << std::setw(7) << account->balance() / 100 << '.'
          << std::setw(2) << std::setfill('0') << account->balance() % 100 << std::setfill(' ') << ' ' << account->kind() << '\n';
  }

  std::multiset<std::string> failures() const {
    std::lock_guard lock(journal_mutex_);
    return failures_;
  }
  size_t audits() const { return audits_; }

 private:
  Account& find(const std::string& owner) {
    const auto at = accounts_.find(owner);
    if (at == accounts_.end()) throw std::out_of_range("no account of " + owner);
    return *at->second;
  }

  void run(const Transfer& transfer) {
    try {
      Account& from = find(transfer.from);
      Account& to = find(transfer.to);
      std::scoped_lock lock(from.mutex(), to.mutex());
      from.withdraw(transfer.amount);
      to.deposit(transfer.amount);
    } catch (const InsufficientFunds& error) {
      note(error.what());
    } catch (const std::exception& error) {
      note(std::string("error: ") + error.what());
    }
  }
  void run(const Deposit& deposit) {
    Account& to = find(deposit.to);
    std::lock_guard lock(to.mutex());
    to.deposit(deposit.amount);
  }
  void run(const Audit&) { ++audits_; }

  void note(const std::string& text) {
    std::lock_guard lock(journal_mutex_);
    failures_.insert(text);
  }

  std::map<std::string, std::unique_ptr<Account>> accounts_;
  mutable std::mutex journal_mutex_;
  std::multiset<std::string> failures_;
  std::atomic<size_t> audits_{0};
};

}  // namespace bank

int main() {
  using namespace bank;
  Bank bank;
  bank.open<Account>("ann", 10000);
  bank.open<Account>("bob", 5050);
  bank.open<CreditAccount>("cid", 100, 20000);
  try {
    bank.open<Account>("bob", 1);
  } catch (const std::logic_error& error) {
    std::cout << error.what() << '\n';
  }
  const Cents before = bank.total();
  OrderQueue queue;
  std::vector<std::thread> tellers;
  for (int n = 0; n < 3; ++n)
    tellers.emplace_back([&] {
      while (auto order = queue.pop()) bank.execute(*order);
    });
  queue.push(Deposit{"ann", 125});
  queue.push(Transfer{"cid", "ann", 15000});
  queue.push(Transfer{"bob", "cid", 50});
  queue.push(Audit{});
  queue.push(Transfer{"bob", "zoe", 50});
  queue.push(Transfer{"bob", "ann", 1000000});
  queue.push(Transfer{"ann", "bob", 1});
  queue.close();
  for (auto& teller : tellers) teller.join();
  bank.report(std::cout);
  std::cout << "total " << (bank.total() - before) << " audits " << bank.audits() << '\n';
  // Not what is missing: that depends on which transfers came before.
  for (const auto& failure : bank.failures()) std::cout << failure.substr(0, 9) << '\n';
  std::unordered_map<std::string, std::function<Cents(const Bank&)>> figures{
      {"total", [](const Bank& b) { return b.total(); }},
      {"failures", [](const Bank& b) { return Cents(b.failures().size()); }}};
  for (const char* name : {"failures", "total"}) std::cout << name << '=' << figures.at(name)(bank) << '\n';
  try {
    bank.execute(Deposit{"nobody", 5});
  } catch (const std::out_of_range& error) {
    std::cout << error.what() << '\n';
  }
}
