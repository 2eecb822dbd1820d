// An actor: a thread with a mailbox of variants, visited by overloaded lambdas.
#include <condition_variable>
#include <deque>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <variant>
struct Deposit {
  std::string who;
  int amount;
};
struct Withdraw {
  std::string who;
  int amount;
};
struct Report {
  std::shared_ptr<std::ostringstream> out;
};
struct Stop {};
using Message = std::variant<Deposit, Withdraw, Report, Stop>;
template <class... Ts>
struct overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
overloaded(Ts...) -> overloaded<Ts...>;
class Actor {
 public:
  Actor() : thread_([this] { run(); }) {}
  ~Actor() {
    send(Stop{});
    thread_.join();
  }
  void send(Message m) {
    {
      std::lock_guard lock(mutex_);
      box_.push_back(std::move(m));
    }
    ready_.notify_one();
  }
  int refused() const {
    std::lock_guard lock(mutex_);
    return refused_;
  }

 private:
  Message next() {
    std::unique_lock lock(mutex_);
    ready_.wait(lock, [this] { return !box_.empty(); });
    Message m = std::move(box_.front());
    box_.pop_front();
    return m;
  }
  void run() {
    for (bool on = true; on;)
      std::visit(overloaded{[&](Deposit& d) { accounts_[d.who] += d.amount; },
                            [&](Withdraw& w) {
                              auto& a = accounts_[w.who];
                              if (a < w.amount) {
                                std::lock_guard l(mutex_);
                                ++refused_;
                              } else
                                a -= w.amount;
                            },
                            [&](Report& r) {
                              for (auto& [who, a] : accounts_) *r.out << who << '=' << a << ' ';
                            },
                            [&](Stop&) { on = false; }},
                 *std::make_unique<Message>(next()));
  }
  mutable std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<Message> box_;
  std::map<std::string, int> accounts_;
  int refused_ = 0;
  std::thread thread_;
};
int main() {
  auto out = std::make_shared<std::ostringstream>();
  {
    Actor bank;
    std::thread a([&] { bank.send(Deposit{"ann", 5}); }), b([&] { bank.send(Deposit{"bob", 7}); });
    a.join();
    b.join();
    bank.send(Withdraw{"ann", 3});
    bank.send(Withdraw{"bob", 9});
    bank.send(Report{out});
  }
  std::cout << out->str() << '\n';
}
