// What a machine takes back: memory that goes with its mark, and words that are saved before they change.
//
// In:      the address of what is about to change; positions that it gave before.
// Out:     memory for the path; after rewind(), all as it stood at the mark.
// Cost:    what is saved once per mark (touch) costs one comparison from then on.
// Owns:    the arena, the trail, the number of the mark.
// Threads: the thread that uses the machine.
// Fails:   never; running out of host memory ends the process.
#pragma once

#include <algorithm>
#include <cstdint>

#include "server/machine/memory/trail.h"

namespace heddle::machine {

class Undo {
 public:
  struct Position {
    Arena::Position arena;
    uint64_t trail = 0;
  };

  // --- marks, numbered from 1; 0: before the first ---
  uint32_t mark() const { return mark_; }
  Position begin_mark() {
    ++mark_;
    compact_above_ = 0;
    start_ = trail_.size();
    trail_.start_segment(start_);
    return {arena_.position(), start_};
  }
  void rewind(uint32_t mark, const Position& to) {
    trail_.rewind(to.trail);
    arena_.rewind(to.arena);
    mark_ = mark;
    start_ = to.trail;
    trail_.start_segment(start_);
  }
  // A long stretch without a mark writes the same words again and again; the oldest value of each is enough.
  void compact() {
    constexpr uint64_t kEntries = 1 << 22;
    if (trail_.size() - start_ < std::max(kEntries, compact_above_)) return;
    trail_.compact(start_);
    compact_above_ = (trail_.size() - start_) * 2;
  }

  // --- memory of the path: contents unspecified, or zeros ---
  void* take(uint64_t bytes) { return arena_.take(bytes); }
  template <typename T>
  T* take_zeroed(uint64_t count = 1) {
    return arena_.take_zeroed<T>(count);
  }

  // --- before a change ---
  template <typename T>
  void touch(T& saved) {  // the whole of it, once per mark
    static_assert(sizeof(T) % 8 == 0);
    touch(saved, sizeof(T));
  }
  template <typename T>
  void touch(T& saved, uint64_t bytes) {  // with the bytes that follow it
    if (HEDDLE_LIKELY(saved.saved_mark >= mark_)) return;
    trail_.blob(&saved, bytes / 8);
    saved.saved_mark = mark_;
  }
  template <typename T>
  void put(T& field, T value) {  // one field in stable memory
    static_assert(sizeof(T) == 8);
    if (mark_ != 0) trail_.word(reinterpret_cast<uint64_t*>(&field));
    field = value;
  }
  void word(uint64_t* at) { trail_.word(at); }
  void blob(const void* at, uint64_t words) { trail_.blob(at, words); }
  bool bulky() const { return trail_.bulky(); }  // much was saved since the mark: whole objects pay

 private:
  Arena arena_;
  Trail trail_;
  uint32_t mark_ = 0;
  uint64_t start_ = 0;  // of the trail at the mark
  uint64_t compact_above_ = 0;
};

}  // namespace heddle::machine
