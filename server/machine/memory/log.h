// A sequence of plain elements, which are added and dropped at its end only.
//
// In:      elements that may be copied as bytes.
// Out:     all of them as a span, valid until the next one is added.
// Cost:    a large log grows by remapping its pages: nothing is copied, and no page is touched twice.
// Owns:    its elements.
// Threads: one at a time.
// Fails:   never; running out of host memory ends the process.
#pragma once

#include <cstdlib>
#include <span>
#include <type_traits>

#include "server/machine/memory/trail.h"

namespace heddle::machine {

template <typename T>
class Log {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Log() = default;
  ~Log() { std::free(elements_); }
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;

  void push_back(const T& element) {
    if (HEDDLE_UNLIKELY(size_ == capacity_)) grow();
    elements_[size_++] = element;
  }
  T& back() { return elements_[size_ - 1]; }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void shrink(size_t size) { size_ = size; }
  std::span<const T> all() const { return {elements_, size_}; }

 private:
  void grow() {
    constexpr size_t kFirst = 64;
    capacity_ = capacity_ == 0 ? kFirst : capacity_ * 2;
    void* const larger = std::realloc(static_cast<void*>(elements_), capacity_ * sizeof(T));
    if (larger == nullptr) out_of_memory("the explorer's memory limit leaves room for its events");
    elements_ = static_cast<T*>(larger);
  }

  T* elements_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

}  // namespace heddle::machine
