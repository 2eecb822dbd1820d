// Host memory that can go back: an arena whose position is part of a mark, and a trail of overwritten words.
//
// In:      addresses of 8-byte words that do not move, before they change.
// Out:     rewind(position) restores them, newest first.
// Cost:    a word costs 16 bytes of trail; a rewind costs the entries written since.
// Owns:    its blocks.
// Threads: one at a time.
// Fails:   never; running out of host memory ends the process (the explorer is a forked child with its own limit).
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace heddle::machine {

#define HEDDLE_LIKELY(x) __builtin_expect(!!(x), 1)
#define HEDDLE_UNLIKELY(x) __builtin_expect(!!(x), 0)

[[noreturn]] void check_failed(const char* condition, const char* why);
// What new does when nothing is left: the handler that the process has set, which ends it with a name for the reason.
[[noreturn]] void out_of_memory(const char* why);
// An invariant of ours; on in release builds.
#define HEDDLE_CHECK(condition, why)                                                     \
  do {                                                                                   \
    if (HEDDLE_UNLIKELY(!(condition))) ::heddle::machine::check_failed(#condition, why); \
  } while (false)

class Arena {
 public:
  struct Position {
    uint32_t block = 0;
    uint32_t reserved = 0;
    uint64_t offset = 0;
  };

  // 16-byte aligned, contents unspecified.
  void* take(uint64_t bytes) {
    bytes = (bytes + 15) & ~uint64_t{15};
    if (HEDDLE_LIKELY(at_.block < blocks_.size() && at_.offset + bytes <= blocks_[at_.block].size)) {
      void* result = blocks_[at_.block].data.get() + at_.offset;
      at_.offset += bytes;
      return result;
    }
    return take_slowly(bytes);
  }
  // Of much that was never used before no page is touched.
  template <typename T>
  T* take_zeroed(uint64_t count = 1) {
    const uint64_t bytes = sizeof(T) * count;
    if (HEDDLE_UNLIKELY(bytes > kBlockMost)) return static_cast<T*>(take_large_zeroed(bytes));
    void* result = take(bytes);
    std::memset(result, 0, bytes);
    return static_cast<T*>(result);
  }
  Position position() const { return at_; }
  void rewind(const Position& position) { at_ = position; }

 private:
  struct Free {
    void operator()(uint8_t* data) const;
  };
  static constexpr uint64_t kBlockMost = uint64_t{64} << 20;  // larger ones are for one taker
  struct Block {
    std::unique_ptr<uint8_t, Free> data;
    uint64_t size = 0;
  };
  void* take_slowly(uint64_t bytes);
  void* take_large_zeroed(uint64_t bytes);
  std::vector<Block> blocks_;
  Position at_;
};

// Entries are pairs of words {address | tag, value}. Tag 0: one word. Tag 1: a blob; `value` words of contents come
// in front of the entry, padded to an even number.
class Trail {
 public:
  struct Entry {
    uint64_t address = 0;
    uint64_t value = 0;
  };

  Trail();
  void word(uint64_t* address) {
    if (HEDDLE_UNLIKELY(top_ == end_)) grow(1);
    *top_++ = {reinterpret_cast<uint64_t>(address), *address};
  }
  void blob(const void* address, uint64_t words) {
    const uint64_t padded = (words + 1) / 2;
    if (HEDDLE_UNLIKELY(static_cast<uint64_t>(end_ - top_) < padded + 1)) grow(padded + 1);
    std::memcpy(static_cast<void*>(top_), address, words * 8);
    top_ += padded;
    *top_++ = {reinterpret_cast<uint64_t>(address) | 1, words};
  }
  // Many words were written since the position `start`: from here on it pays to save whole objects instead.
  bool bulky() const { return top_ >= bulk_; }
  void start_segment(uint64_t start) {
    segment_ = start;
    bulk_ = entries_.get() + start + kBulk;
  }
  uint64_t size() const { return static_cast<uint64_t>(top_ - entries_.get()); }
  uint64_t rewind(uint64_t size);  // returns the number of entries undone
  // Drop repeated words after `from`; keeps the oldest value of each.
  void compact(uint64_t from);

 private:
  void grow(uint64_t entries);
  struct Free {
    void operator()(Entry* entries) const;
  };
  std::unique_ptr<Entry[], Free> entries_;
  Entry* top_ = nullptr;
  Entry* end_ = nullptr;
  static constexpr uint64_t kBulk = 1 << 14;
  uint64_t segment_ = 0;
  Entry* bulk_ = nullptr;
};

}  // namespace heddle::machine
