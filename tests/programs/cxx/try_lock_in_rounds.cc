// An early return after std::mutex::lock. The other thread tries in rounds of 3,000, and sleeps after each try.
#include <chrono>
#include <mutex>
#include <thread>

static std::mutex m;
static bool open;

static void keeps() {
  m.lock();
  if (!open) return;
  m.unlock();
}
static void tries() {
  for (bool mine = false; !mine;)
    for (int i = 0; i < 3000 && !(mine = m.try_lock()); i++)  // ERROR(deadlock|livelock)!
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  m.unlock();
}

int main() {
  std::thread a(keeps), b(tries);
  a.join();
  b.join();  // ERROR(deadlock|livelock)?
}
