// A virtual call that an input chooses.
// SETTINGS: unknown-data: symbolic
// VERDICT: clear

#include <cassert>
#include <mutex>
#include <thread>

extern "C" bool __VERIFIER_nondet_bool(void);
extern "C" int __VERIFIER_nondet_int(void);

struct Command {
  virtual ~Command() = default;
  virtual int apply(int n) const = 0;
};
struct Keep : Command {
  int apply(int n) const override { return n; }
};
struct Flip : Command {
  int apply(int n) const override { return ~n; }
};

static std::mutex guard;
static int value;

int main() {
  const Keep keep;
  const Flip flip;
  const int n = __VERIFIER_nondet_int();
  const Command& command = __VERIFIER_nondet_bool() ? static_cast<const Command&>(flip) : keep;
  value = n;
  std::thread thread([&] {
    const std::lock_guard<std::mutex> lock(guard);
    value = command.apply(value);
  });
  {
    const std::lock_guard<std::mutex> lock(guard);
    assert(value == n || value == ~n);
  }
  thread.join();
}
