#include "server/machine/memory/trail.h"

#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>
#include <new>
#include <unordered_set>

namespace heddle::machine {

void check_failed(const char* condition, const char* why) {
  std::fprintf(stderr, "heddle: internal check failed: %s (%s)\n", condition, why);
  std::abort();
}

void out_of_memory(const char* why) {
  if (const std::new_handler handler = std::get_new_handler()) handler();
  check_failed("memory", why);
}

namespace {

constexpr uint64_t kFront = 64;  // bytes in front of a block, which begin with how many were mapped; 0: allocated

uint8_t* make_block(uint64_t bytes, bool of_zeros) {
  const uint64_t whole = (bytes + 2 * kFront - 1) & ~(kFront - 1);
  void* const memory = of_zeros ? ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                : std::aligned_alloc(kFront, whole);
  if (memory == nullptr || memory == MAP_FAILED) return nullptr;
  if (of_zeros) ::madvise(memory, whole, MADV_HUGEPAGE);  // one fault for 2 MB, also where zeros are only read
  *static_cast<uint64_t*>(memory) = of_zeros ? whole : 0;
  return static_cast<uint8_t*>(memory) + kFront;
}

}  // namespace

void Arena::Free::operator()(uint8_t* data) const {
  uint8_t* const memory = data - kFront;
  if (const uint64_t mapped = *reinterpret_cast<uint64_t*>(memory); mapped > 0)
    ::munmap(memory, mapped);
  else
    std::free(memory);
}

void* Arena::take_slowly(uint64_t bytes) {
  constexpr uint64_t kFirst = uint64_t{256} << 10;
  // Later blocks may be left from before a rewind; skip those that are too small.
  while (at_.block + 1 < blocks_.size()) {
    ++at_.block;
    at_.offset = 0;
    if (bytes <= blocks_[at_.block].size) {
      at_.offset = bytes;
      return blocks_[at_.block].data.get();
    }
  }
  uint64_t size = blocks_.empty() ? kFirst : blocks_.back().size * 2;
  if (size > kBlockMost) size = kBlockMost;
  if (size < bytes) size = bytes;
  uint8_t* const data = make_block(size, size > kBlockMost);
  if (data == nullptr) out_of_memory("the explorer's memory limit leaves room for the guest's");
  blocks_.push_back({std::unique_ptr<uint8_t, Free>(data), size});
  at_.block = static_cast<uint32_t>(blocks_.size() - 1);
  at_.offset = bytes;
  return data;
}

void* Arena::take_large_zeroed(uint64_t bytes) {
  const size_t known = blocks_.size();
  void* result = take(bytes);
  if (blocks_.size() == known) std::memset(result, 0, bytes);  // it was used before a rewind
  return result;
}

void Trail::Free::operator()(Entry* entries) const { std::free(entries); }

Trail::Trail() {
  constexpr uint64_t kFirst = 4096;
  entries_.reset(static_cast<Entry*>(std::malloc(kFirst * sizeof(Entry))));
  if (entries_ == nullptr) out_of_memory("the explorer's memory limit leaves room for its trail");
  top_ = entries_.get();
  end_ = top_ + kFirst;
  start_segment(0);
}

void Trail::grow(uint64_t entries) {
  const uint64_t used = size();
  uint64_t capacity = static_cast<uint64_t>(end_ - entries_.get()) * 2;
  while (capacity < used + entries) capacity *= 2;
  void* const larger = std::realloc(static_cast<void*>(entries_.get()), capacity * sizeof(Entry));
  if (larger == nullptr) out_of_memory("the explorer's memory limit leaves room for its trail");
  static_cast<void>(entries_.release());
  entries_.reset(static_cast<Entry*>(larger));
  top_ = entries_.get() + used;
  end_ = entries_.get() + capacity;
  start_segment(segment_);
}

uint64_t Trail::rewind(uint64_t size) {
  Entry* const bottom = entries_.get() + size;
  const uint64_t undone = static_cast<uint64_t>(top_ - bottom);
  Entry* at = top_;
  while (at != bottom) {
    --at;
    if (HEDDLE_LIKELY((at->address & 1) == 0)) {
      *reinterpret_cast<uint64_t*>(at->address) = at->value;
    } else {
      const uint64_t words = at->value;
      void* const address = reinterpret_cast<void*>(at->address & ~uint64_t{7});
      at -= (words + 1) / 2;
      std::memcpy(address, at, words * 8);
    }
  }
  top_ = bottom;
  return undone;
}

void Trail::compact(uint64_t from) {
  // Entries can only be read from the end, so collect the start of each one first.
  std::vector<std::pair<uint64_t, uint64_t>> spans;  // start, length
  for (uint64_t at = size(); at > from;) {
    const Entry& entry = entries_[at - 1];
    const uint64_t length = (entry.address & 1) == 0 ? 1 : 1 + (entry.value + 1) / 2;
    at -= length;
    spans.emplace_back(at, length);
  }
  std::unordered_set<uint64_t> seen;
  uint64_t to = from;
  for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
    const auto [start, length] = *span;
    if (length == 1 && !seen.insert(entries_[start].address).second) continue;
    std::memmove(static_cast<void*>(&entries_[to]), &entries_[start], length * sizeof(Entry));
    to += length;
  }
  top_ = entries_.get() + to;
}

}  // namespace heddle::machine
