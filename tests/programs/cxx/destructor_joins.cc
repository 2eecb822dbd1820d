// The destructor of the most derived class stores the address of the virtual table that is there already, then joins:
// the virtual calls of the thread come before anything changes. With a virtual base and two bases there are several
// such stores.
#include <thread>

struct Named {
  virtual ~Named() = default;
  virtual int name() const { return 1; }
};
struct Runner : virtual Named {
  virtual void run() {}
};
struct Counter {
  virtual ~Counter() = default;
  virtual int step() { return 2; }
};
class Worker : public Runner, public Counter {
 public:
  Worker() : thread_([this] { loop(*this, *this, *this); }) {}
  ~Worker() override { thread_.join(); }
  void run() override {}
  int step() override { return 3; }
  int name() const override { return 4; }

 private:
  static void loop(Runner& runner, Counter& counter, const Named& named) {
    runner.run();
    if (counter.step() + named.name() != 7) __builtin_trap();
  }
  std::thread thread_;
};

int main() { Worker worker; }
