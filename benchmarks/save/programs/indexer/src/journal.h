#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <string>
#include <vector>

namespace indexer {

// The last lines of what happened, and counters that need no lock.
class Journal {
 public:
  void note(std::string line);
  void counted() { documents_counted_.fetch_add(1); }
  int documents_counted() const { return documents_counted_.load(); }
  std::vector<std::string> lines() const;

 private:
  static constexpr std::size_t kLines = 4;
  mutable std::mutex mutex_;
  std::array<std::string, kLines> ring_;
  std::size_t noted_ = 0;
  std::atomic<int> documents_counted_{0};
};

}  // namespace indexer
