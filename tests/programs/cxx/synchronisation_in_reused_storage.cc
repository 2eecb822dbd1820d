// Condition variables and shared mutexes live and end in the same storage again and again.
// OPTIONS: -- -std=c++20
#include <condition_variable>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <variant>

struct Event {
  std::mutex mutex;
  std::condition_variable changed;
  bool set = false;
};

union Storage {
  Event event;
  std::shared_mutex shared;
  Storage() {}
  ~Storage() {}
};

static int count;

int main() {
  static Storage storage;
  static std::variant<int, std::condition_variable> either;
  for (int round = 0; round < 2; ++round) {
    Event* const event = std::construct_at(&storage.event);
    either.emplace<std::condition_variable>();
    std::thread setter([event] {
      std::lock_guard lock(event->mutex);
      event->set = true;
      event->changed.notify_all();
      std::get<1>(either).notify_one();
    });
    {
      std::unique_lock lock(event->mutex);
      event->changed.wait(lock, [event] { return event->set; });
    }
    setter.join();
    std::destroy_at(event);
    either = 0;
    std::shared_mutex* const shared = std::construct_at(&storage.shared);
    std::thread reader([shared] {
      std::unique_lock lock(*shared);
      ++count;
    });
    {
      std::unique_lock lock(*shared);
      ++count;
    }
    reader.join();
    std::destroy_at(shared);
  }
  return count == 4 ? 0 : 1;
}
