// One number throws between lock and unlock.
// SETTINGS: unknown-data: symbolic
// SAYS: = 404

#include <mutex>
#include <stdexcept>
#include <thread>

extern "C" int __VERIFIER_nondet_int(void);

static std::mutex guard;
static int served;

static void serve(int number) {
  guard.lock();  // ERROR(deadlock)!
  if (number == 404) throw std::runtime_error("not found");
  served++;
  guard.unlock();
}

int main() {
  const int number = __VERIFIER_nondet_int();
  std::thread thread([=] {
    try {
      serve(number);
    } catch (const std::runtime_error&) {
    }
  });
  thread.join();
  serve(1);
}
