// What a machine keeps by address, to be taken back with the path: items of one kind, in the order they were made.
//
// In:      addresses, never 0.
// Out:     the item of an address, or null; all of them.
// Owns:    the table; it and the items are the path's memory (Undo).
// Threads: the thread that uses the machine.
// Fails:   never.
#pragma once

#include <cstdint>
#include <span>

#include "server/machine/memory/undo.h"

namespace heddle::machine {

// Open addressing; growing does not change the smaller table. A copy is a position to return to.
class AddressTable {
 public:
  int64_t find(uint64_t key) const;  // the value of the key, or -1
  void insert(uint64_t key, uint64_t value, Undo& undo);

 private:
  uint32_t slot_of(uint64_t key) const;
  void grow(Undo& undo);

  uint64_t* keys_ = nullptr;
  uint64_t* values_ = nullptr;
  uint32_t capacity_ = 0, count_ = 0;
};

// T is plain, and has `saved_mark` and `address`.
template <typename T>
class AddressMap {
 public:
  // What a mark keeps.
  class Position {
    friend class AddressMap;
    AddressTable table;
    T** items = nullptr;
    uint32_t count = 0, capacity = 0;
  };

  explicit AddressMap(Undo& undo) : undo_(undo) {}
  AddressMap(const AddressMap&) = delete;
  AddressMap& operator=(const AddressMap&) = delete;

  T* find(uint64_t address) const {
    const int64_t index = now_.table.find(address);
    return index < 0 ? nullptr : now_.items[index];
  }
  T& add(uint64_t address) {  // of zeros, but for its address and mark
    if (now_.count == now_.capacity) grow();
    T* const added = undo_.take_zeroed<T>();
    added->saved_mark = undo_.mark();
    added->address = address;
    now_.items[now_.count] = added;
    now_.table.insert(address, now_.count++, undo_);
    return *added;
  }
  std::span<T* const> all() const { return {now_.items, now_.count}; }

  const Position& position() const { return now_; }
  void rewind(const Position& to) { now_ = to; }

 private:
  void grow() {  // the array moves; the old one is not changed
    now_.capacity = now_.capacity == 0 ? 32 : now_.capacity * 2;
    T** const moved = static_cast<T**>(undo_.take(now_.capacity * sizeof(T*)));
    for (uint32_t n = 0; n < now_.count; ++n) moved[n] = now_.items[n];
    now_.items = moved;
  }

  Undo& undo_;
  Position now_;
};

}  // namespace heddle::machine
