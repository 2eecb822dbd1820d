#include <mutex>
#include <thread>
std::mutex mutex;
int counter = 0;
void worker() {
  mutex.lock();
  counter++;
  mutex.unlock();  // here
}
int main() {
  std::thread thread(worker);
  worker();
  thread.join();
}
