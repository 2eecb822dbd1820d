// A device writes its status into an object that another thread reads: the call is a write without the lock.
// SETTINGS: unknown-externals: {"device::poll": {fills: 1}}
#include <mutex>
#include <thread>

struct Status {
  int level;
  bool open;
};
namespace device {
void poll(Status* into);
}

static Status status;
static std::mutex guard;

int main() {
  std::thread poller([] { device::poll(&status); });  // RACE!
  {
    std::lock_guard<std::mutex> hold(guard);
    if (status.level > 3) status.level = 0;  // RACE!
  }
  poller.join();
}
