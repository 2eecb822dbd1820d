// A bank's ledger under many threads: transfers with two locks, readers beside writers, a journal with its own thread,
// audits that are consistent in the middle of everything, workers that meet at barriers, interest computed by futures.
// What is printed depends on no schedule.
#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <latch>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <shared_mutex>
#include <sstream>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

using Cents = std::int64_t;

struct Refused : std::runtime_error {
  Refused(int account, Cents missing) : std::runtime_error("account " + std::to_string(account) + " lacks " + std::to_string(missing)), missing(missing) {}
  Cents missing;
};

// --- a journal that is written behind ---------------------------------------------------------------------------------

struct Opened { int account; Cents balance; };
struct Moved { int from, to; Cents amount; };
struct Note { std::string text; };
using Entry = std::variant<Opened, Moved, Note>;

class Journal {
 public:
  Journal() : writer_([this](std::stop_token stop) { run(stop); }) {}
  ~Journal() { close(); }
  void add(Entry entry) {
    {
      const std::lock_guard lock(mutex_);
      waiting_.push_back(std::move(entry));
    }
    changed_.notify_one();
  }
  void close() {
    std::call_once(closed_, [this] {
      writer_.request_stop();
      writer_.join();
    });
  }
  // After close().
  const std::vector<Entry>& entries() const { return written_; }

 private:
  void run(const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    while (changed_.wait(lock, stop, [this] { return !waiting_.empty(); }) || !waiting_.empty()) {
      std::deque<Entry> batch;
      batch.swap(waiting_);
      lock.unlock();
      std::move(batch.begin(), batch.end(), std::back_inserter(written_));
      lock.lock();
    }
  }
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Entry> waiting_;
  std::vector<Entry> written_;
  std::once_flag closed_;
  std::jthread writer_;
};

// --- accounts -------------------------------------------------------------------------------------------------------

class Ledger {
  struct Account {
    mutable std::mutex mutex;
    Cents balance = 0;
    int moves = 0;
    std::set<std::string> owners;
  };

 public:
  explicit Ledger(Journal& journal) : journal_(journal) {}

  int open(Cents balance, std::set<std::string> owners) {
    auto account = std::make_unique<Account>();
    account->balance = balance;
    account->owners = std::move(owners);
    const std::unique_lock lock(table_);
    const int number = static_cast<int>(accounts_.size()) + 100;
    accounts_.emplace(number, std::move(account));
    journal_.add(Opened{number, balance});
    return number;
  }

  void move(int from, int to, Cents amount) {
    if (from == to) return;
    const std::shared_lock table(table_);
    Account &a = *accounts_.at(from), &b = *accounts_.at(to);
    {
      const std::scoped_lock both(a.mutex, b.mutex);
      if (a.balance < amount) throw Refused(from, amount - a.balance);
      a.balance -= amount;
      b.balance += amount;
      ++a.moves, ++b.moves;
    }
    moved_.fetch_add(amount, std::memory_order_relaxed);
    journal_.add(Moved{from, to, amount});
  }

  // All at one moment: every account is locked, in the order of numbers.
  Cents audit() const {
    const std::shared_lock table(table_);
    std::vector<std::unique_lock<std::mutex>> locks;
    for (const auto& [number, account] : accounts_) locks.emplace_back(account->mutex);
    return std::accumulate(accounts_.begin(), accounts_.end(), Cents{0}, [](Cents sum, const auto& entry) { return sum + entry.second->balance; });
  }

  template <typename F>
  auto with(int number, F f) const {
    const std::shared_lock table(table_);
    const Account& account = *accounts_.at(number);
    const std::lock_guard lock(account.mutex);
    return f(account.balance, account.owners);
  }
  std::vector<int> numbers() const {
    const std::shared_lock table(table_);
    std::vector<int> result;
    for (const auto& entry : accounts_) result.push_back(entry.first);
    return result;
  }
  Cents moved() const { return moved_.load(); }
  int moves() const {
    const std::shared_lock table(table_);
    return std::accumulate(accounts_.begin(), accounts_.end(), 0, [](int sum, const auto& entry) { return sum + entry.second->moves; });
  }

 private:
  Journal& journal_;
  mutable std::shared_mutex table_;
  std::map<int, std::unique_ptr<Account>> accounts_;
  std::atomic<Cents> moved_{0};
};

// --- tools ----------------------------------------------------------------------------------------------------------

class Tickets {  // first come, first served, some at a time
 public:
  explicit Tickets(std::ptrdiff_t at_once) : free_(at_once) {}
  template <typename F>
  auto use(F f) {
    {
      std::unique_lock lock(mutex_);
      freed_.wait(lock, [this] { return free_ > 0; });
      --free_;
    }
    struct Back {
      Tickets& tickets;
      ~Back() {
        const std::lock_guard lock(tickets.mutex_);
        ++tickets.free_;
        tickets.freed_.notify_one();
      }
    } back{*this};
    most_.store(std::max(most_.load(), ++inside_));
    auto result = f();
    --inside_;
    return result;
  }
  bool never_more_than(int limit) const { return most_ <= limit; }

 private:
  std::mutex mutex_;
  std::condition_variable freed_;
  std::ptrdiff_t free_;
  std::atomic<int> inside_{0}, most_{0};
};

std::mt19937& generator() {
  thread_local std::mt19937 made{std::random_device::result_type{7}};
  return made;
}

template <typename T>
class Mailbox {
 public:
  void send(T value) {
    const std::lock_guard lock(mutex_);
    values_.push(std::move(value));
    ready_.notify_one();
  }
  std::optional<T> receive(std::chrono::milliseconds most) {
    std::unique_lock lock(mutex_);
    if (!ready_.wait_for(lock, most, [this] { return !values_.empty(); })) return std::nullopt;
    T value = std::move(values_.front());
    values_.pop();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ready_;
  std::queue<T> values_;
};

int main() {
  Journal journal;
  Ledger ledger(journal);
  std::vector<int> accounts;
  for (int n = 0; n < 4; ++n) accounts.push_back(ledger.open(10'000 * (n + 1), {"owner " + std::to_string(n), "bank"}));
  const Cents total = ledger.audit();
  std::cout << accounts.size() << " accounts, " << total << " cents\n";

  // Workers move the same amounts whatever the order; audits run beside them.
  constexpr int kWorkers = 3, kRounds = 3;
  std::latch started(kWorkers + 1);
  std::atomic<int> audits{0}, wrong{0}, rounds{0};
  std::barrier meet(kWorkers, [&]() noexcept { ++rounds; });
  std::atomic<bool> done{false};
  {
    std::vector<std::jthread> workers;
    for (int w = 0; w < kWorkers; ++w)
      workers.emplace_back([&, w] {
        started.arrive_and_wait();
        for (int round = 0; round < kRounds; ++round) {
          for (int n = 0; n < 4; ++n) {
            const auto from = static_cast<std::size_t>((w + n) % 4), to = static_cast<std::size_t>((w + n + 1 + round) % 4);
            ledger.move(accounts[from], accounts[to], 10 * (w + 1) + n);
          }
          meet.arrive_and_wait();
        }
      });
    std::jthread auditor([&](std::stop_token stop) {
      started.arrive_and_wait();
      do {
        ++audits;
        if (ledger.audit() != total) ++wrong;
      } while (!stop.stop_requested() && audits < 5);
    });
    for (std::jthread& worker : workers) worker.join();
    done = true;
    done.notify_all();
  }
  done.wait(false);
  std::cout << "rounds " << rounds << ", audits " << (audits > 0) << ", wrong " << wrong << ", sum " << (ledger.audit() == total) << '\n';
  for (const int account : accounts)
    std::cout << account << ": " << std::setw(6) << ledger.with(account, [](Cents balance, const auto&) { return balance; }) << ' '
              << ledger.with(account, [](Cents, const auto& owners) { return *owners.rbegin(); }) << '\n';
  std::cout << "moved " << ledger.moved() << " in " << ledger.moves() / 2 << " moves\n";

  // Futures: interest of every account, and one that fails.
  std::vector<std::future<Cents>> interest;
  for (const int account : ledger.numbers())
    interest.push_back(std::async(account % 2 ? std::launch::async : std::launch::deferred, [&ledger, account] {
      return ledger.with(account, [](Cents balance, const auto&) { return balance * 15 / 1000; });
    }));
  std::cout << "interest " << std::accumulate(interest.begin(), interest.end(), Cents{0}, [](Cents sum, auto& f) { return sum + f.get(); }) << '\n';
  std::packaged_task<void(int, Cents)> greedy([&](int account, Cents amount) { ledger.move(account, accounts[0], amount); });
  auto answer = greedy.get_future();
  std::thread(std::move(greedy), accounts[1], 1'000'000).join();
  try {
    answer.get();
  } catch (const Refused& refused) {
    std::cout << "refused: " << (refused.missing > 900'000) << ' ' << std::string(refused.what()).substr(0, 17) << '\n';
  }
  try {
    ledger.move(accounts[0], 999, 1);
  } catch (const std::out_of_range&) {
    std::cout << "no such account\n";
  }

  // Few counters for many customers.
  Tickets tickets(2);
  std::atomic<int> served{0};
  {
    std::vector<std::jthread> customers;
    for (int n = 0; n < 4; ++n)
      customers.emplace_back([&, n] { served += tickets.use([n] { return static_cast<int>(generator()() % 7 >= 0) * n; }); });
  }
  std::cout << "served " << served << ", never more than two: " << tickets.never_more_than(2) << '\n';

  // Letters, of which one never comes.
  Mailbox<std::unique_ptr<std::string>> mailbox;
  std::promise<std::size_t> length;
  std::shared_future<std::size_t> lengths = length.get_future().share();
  std::jthread reader([&] {
    std::size_t sum = 0;
    for (int n = 0; n < 2;) {  // any time may be up
      const auto letter = mailbox.receive(std::chrono::hours(1));
      if (letter) sum += (*letter)->size(), ++n;
    }
    length.set_value(sum);
  });
  mailbox.send(std::make_unique<std::string>("dear bank"));
  mailbox.send(std::make_unique<std::string>("where is it"));
  std::cout << "letters " << lengths.get() << lengths.get() << ' ' << mailbox.receive(std::chrono::milliseconds(1)).has_value() << '\n';
  try {
    std::future<int> never = std::promise<int>().get_future();
    never.get();
  } catch (const std::future_error& error) {
    std::cout << (error.code() == std::future_errc::broken_promise) << '\n';
  }

  // Turns by an atomic number: always the same order. (The semaphores of libstdc++ 12 can lose a wake-up.)
  std::atomic<int> turn{0};
  std::string turns;
  const auto take_turns = [&](int begin) {
    for (int n = begin; n < 6; n += 2) {
      for (int now = turn; now != n; now = turn) turn.wait(now);
      turns += static_cast<char>('0' + n);
      turn = n + 1;
      turn.notify_all();
    }
  };
  {
    std::jthread even(take_turns, 0);
    std::jthread odd(take_turns, 1);
  }
  std::cout << turns << '\n';

  journal.add(Note{"the day ends"});
  journal.close();
  journal.close();
  std::array<int, 3> kinds{};
  Cents written = 0;
  for (const Entry& entry : journal.entries()) {
    ++kinds[entry.index()];
    if (const auto* moved = std::get_if<Moved>(&entry)) written += moved->amount;
  }
  std::cout << kinds[0] << " opened, " << kinds[1] << " moved, " << kinds[2] << " notes, " << (written == ledger.moved()) << ", last: "
            << std::get<Note>(journal.entries().back()).text << '\n';
}
