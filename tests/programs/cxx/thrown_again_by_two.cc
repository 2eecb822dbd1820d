// Two threads throw one exception again; nothing orders what their handlers do.
#include <exception>
#include <thread>

static int handled;

int main() {
  const std::exception_ptr failure = std::make_exception_ptr(1);
  const auto handle = [&failure] {
    try {
      std::rethrow_exception(failure);
    } catch (int) {
      handled++;  // RACE!
    }
  };
  std::thread a(handle), b(handle);
  a.join();
  b.join();
}
