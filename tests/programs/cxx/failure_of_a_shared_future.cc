// Two threads get the same failure of a future, and one changes it.
#include <future>
#include <thread>

struct Failure {
  int seen = 0;
};

int main() {
  std::promise<int> promise;
  std::shared_future<int> future = promise.get_future().share();
  promise.set_exception(std::make_exception_ptr(Failure()));
  const auto get = [future] {
    try {
      future.get();
    } catch (Failure &failure) {
      failure.seen++;  // RACE!
    }
  };
  std::thread a(get), b(get);
  a.join();
  b.join();
}
