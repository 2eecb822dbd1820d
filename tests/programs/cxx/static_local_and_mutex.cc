// The initialiser of a static local takes a mutex that another thread holds while it waits for the initialiser. The
// guard of the variable is told by the variable.
// SAYS: waits for the initialisation of 'instance' that is run by worker 1, which waits for mutex 'gate' held by main
// SAYS: look at the initialisation of 'instance': not done
#include <mutex>
#include <thread>

static std::mutex gate;

struct Registry {
  Registry() {
    std::lock_guard lock(gate);  // ERROR(deadlock)!
  }
};

static Registry &registry() {
  static Registry instance;  // ERROR(deadlock)!
  return instance;
}

int main() {
  std::thread first([] { registry(); });
  gate.lock();
  registry();
  gate.unlock();
  first.join();
}
