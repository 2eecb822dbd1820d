// The notification comes after the thread's own objects are gone: whoever it wakes finds the flag of the destructor.
// OUTCOME: exit 0, prints "gone"
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex m;
std::condition_variable c;
bool done, gone;

struct Own {
  ~Own() { gone = true; }
};
thread_local Own own;

int main() {
  std::thread t([] {
    std::unique_lock lock(m);
    std::notify_all_at_thread_exit(c, std::move(lock));
    (void)&own;
    done = true;
  });
  {
    std::unique_lock lock(m);
    c.wait(lock, [] { return done; });
    std::printf(gone ? "gone" : "there");
  }
  t.join();
}
