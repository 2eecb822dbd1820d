// An index beyond a private array of a class, through a reference that a member returns.
#include <mutex>
#include <thread>

class Ring {
 public:
  int& slot(int n) { return slots_[n]; }  // ERROR(out-of-bounds)!
  void add(int value) {
    const std::lock_guard<std::mutex> held(lock_);
    slot(used_++) = value;
  }

 private:
  std::mutex lock_;
  int slots_[2] = {};
  int used_ = 0;
};

int main() {
  Ring ring;
  std::thread other([&] { ring.add(1); });
  ring.add(2);
  other.join();
  ring.add(3);
}
