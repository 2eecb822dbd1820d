// A cache that inserts with its lock and looks up without it.
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

class Cache {
 public:
  void insert(int key, std::string value) {
    std::lock_guard<std::mutex> lock(mutex_);
    ++inserted_;
    entries_[key] = std::move(value);
  }
  bool find(int key) const {
    return inserted_ > 0 && entries_.count(key) > 0;
  }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<int, std::string> entries_;
  int inserted_ = 0;
};

int main() {
  Cache cache;
  std::thread writer([&] { cache.insert(1, "one"); });
  std::thread reader([&] { (void)cache.find(1); });
  writer.join();
  reader.join();
}
