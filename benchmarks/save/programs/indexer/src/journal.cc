#include "journal.h"

#include <utility>

namespace indexer {

void Journal::note(std::string line) {
  std::lock_guard<std::mutex> lock(mutex_);
  ring_[noted_ % kLines] = std::move(line);
  ++noted_;
}

std::vector<std::string> Journal::lines() const {
  std::lock_guard<std::mutex> lock(mutex_);
  std::vector<std::string> result;
  for (std::size_t n = noted_ > kLines ? noted_ - kLines : 0; n < noted_; ++n) result.push_back(ring_[n % kLines]);
  return result;
}

}  // namespace indexer
