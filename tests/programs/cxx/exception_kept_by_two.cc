// Each thread keeps a copy of the exception, drops it, and touches something else.
#include <exception>
#include <thread>

static int other;

int main() {
  std::exception_ptr failure = std::make_exception_ptr(1);
  const auto keep = [&failure] {
    std::exception_ptr mine = failure;
    mine = nullptr;
    other++;  // RACE!
  };
  std::thread a(keep), b(keep);
  a.join();
  b.join();
}
