// Values by key behind a reader-writer lock: many threads look up, few add. The oldest entry makes room.
#pragma once

#include <deque>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <unordered_map>
#include <utility>

namespace quotes {

template <typename Key, typename Value, typename Hash = std::hash<Key>>
class PriceCache {
 public:
  explicit PriceCache(std::size_t most) : most_(most) {}

  std::optional<Value> find(const Key& key) const {
    std::shared_lock<std::shared_mutex> guard(mutex_);
    const auto found = values_.find(key);
    if (found == values_.end()) return std::nullopt;
    return found->second;
  }

  // The value that is kept: the one that was there first, when two threads computed it at the same time.
  Value add(const Key& key, Value value) {
    std::unique_lock<std::shared_mutex> guard(mutex_);
    const auto [at, fresh] = values_.emplace(key, std::move(value));
    if (!fresh) return at->second;
    const Value kept = at->second;
    order_.push_back(key);
    if (order_.size() > most_) {
      values_.erase(order_.front());
      order_.pop_front();
    }
    return kept;
  }

  std::size_t size() const {
    std::shared_lock<std::shared_mutex> guard(mutex_);
    return values_.size();
  }

 private:
  const std::size_t most_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<Key, Value, Hash> values_;
  std::deque<Key> order_;  // oldest first
};

}  // namespace quotes
