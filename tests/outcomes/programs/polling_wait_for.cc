// A worker that polls: each wait has a time limit of its own, so no state of its loop comes back. It ends by itself.
// OUTCOME: exit 0, prints "done 1"
// GRAPHS END: time
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <queue>
#include <thread>

std::mutex m;
std::condition_variable changed;
std::queue<int> jobs;
bool stop = false;
int done;

void work() {
  std::unique_lock<std::mutex> lock(m);
  while (true) {
    while (!stop && jobs.empty()) changed.wait_for(lock, std::chrono::microseconds(100));
    if (jobs.empty()) return;
    done += jobs.front();
    jobs.pop();
  }
}

int main() {
  std::thread worker(work);
  {
    std::lock_guard<std::mutex> lock(m);
    jobs.push(1);
  }
  changed.notify_one();
  {
    std::lock_guard<std::mutex> lock(m);
    stop = true;
  }
  worker.join();
  std::printf("done %d", done);
}
