// A pointer to the current configuration is used after another thread has replaced it.
#include <memory>
#include <mutex>
#include <thread>

namespace app {

struct Configuration {
  int version = 1;
  int workers = 4;
};

class Settings {
 public:
  const Configuration* current() {
    std::lock_guard lock(mutex_);
    return configuration_.get();
  }
  void replace() {
    auto next = std::make_unique<Configuration>();
    std::lock_guard lock(mutex_);
    configuration_ = std::move(next);
  }

 private:
  std::mutex mutex_;
  std::unique_ptr<Configuration> configuration_ = std::make_unique<Configuration>();
};

}  // namespace app

int main() {
  app::Settings settings;
  std::thread thread([&] { settings.replace(); });
  const app::Configuration* const read = settings.current();
  const int workers = read->workers;
  thread.join();
  return workers - 4;
}
