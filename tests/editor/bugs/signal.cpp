#include <condition_variable>
#include <mutex>
#include <thread>
std::mutex mutex;
std::condition_variable changed;
bool ready = false;
void worker() {
  std::lock_guard<std::mutex> guard(mutex);
  ready = true;
  changed.notify_one();  // here
}
int main() {
  std::thread thread(worker);
  {
    std::unique_lock<std::mutex> lock(mutex);
    while (!ready) changed.wait(lock);
  }
  thread.join();
}
