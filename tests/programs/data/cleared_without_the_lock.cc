// One command of 256 clears the cell without the lock.
// SETTINGS: unknown-data: symbolic
// SAYS: = 200

#include <mutex>
#include <thread>

extern "C" unsigned char __VERIFIER_nondet_uchar(void);

static int cells[2];
static std::mutex guard;

int main() {
  std::thread thread([] {
    const std::lock_guard<std::mutex> lock(guard);
    cells[0] = 1;  // RACE!
  });
  if (__VERIFIER_nondet_uchar() == 200) {
    cells[0] = 0;  // RACE?
  }
  thread.join();
}
