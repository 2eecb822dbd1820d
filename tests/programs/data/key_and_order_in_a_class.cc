// One key of 2^32 and one order of 126, in the member of a class.
// SETTINGS: unknown-data: symbolic
// SAYS: __VERIFIER_nondet_int() = -559038737

#include <cassert>
#include <mutex>
#include <thread>

extern "C" int __VERIFIER_nondet_int(void);

class History {
 public:
  void note(int bit) {
    const std::lock_guard<std::mutex> lock(guard_);
    bits_ = bits_ * 2 + bit;
  }
  int bits() const { return bits_; }

 private:
  std::mutex guard_;
  int bits_ = 1;
};

int main() {
  const int key = __VERIFIER_nondet_int();
  History history;
  std::thread thread([&] {
    for (int i = 0; i < 4; ++i) history.note(1);
  });
  for (int i = 0; i < 5; ++i) history.note(0);
  thread.join();
  assert(history.bits() != 0x2b1 || key != static_cast<int>(0xdeadbeef));  // ERROR(assertion)!
}
