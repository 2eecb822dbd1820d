// A wait with a stop token ends by the flag (true) or by the request (false, if the flag is not up by then).
// OUTCOME: exit 0, prints "true"
// OUTCOME: exit 0, prints "false"
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <stop_token>
#include <thread>

std::mutex m;
std::condition_variable_any c;
bool ready;

int main() {
  const char* result = "";
  std::jthread t([&](std::stop_token token) {
    std::unique_lock lock(m);
    result = c.wait(lock, token, [] { return ready; }) ? "true" : "false";
  });
  std::thread setter([] {
    std::lock_guard lock(m);
    ready = true;
    c.notify_all();
  });
  t.request_stop();
  t.join();
  setter.join();
  std::printf("%s", result);
}
// EXECUTIONS: 50000
