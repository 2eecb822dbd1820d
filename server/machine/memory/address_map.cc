#include "server/machine/memory/address_map.h"

#include "server/machine/hashing.h"

namespace heddle::machine {

uint32_t AddressTable::slot_of(uint64_t key) const {
  uint32_t slot = static_cast<uint32_t>(mix(key)) & (capacity_ - 1);
  while (keys_[slot] != 0 && keys_[slot] != key) slot = (slot + 1) & (capacity_ - 1);
  return slot;
}

int64_t AddressTable::find(uint64_t key) const {
  if (capacity_ == 0) return -1;
  const uint32_t slot = slot_of(key);
  return keys_[slot] == key ? static_cast<int64_t>(values_[slot]) : -1;
}

void AddressTable::grow(Undo& undo) {
  AddressTable larger;
  larger.capacity_ = capacity_ == 0 ? 32 : capacity_ * 2;
  larger.keys_ = undo.take_zeroed<uint64_t>(larger.capacity_);
  larger.values_ = undo.take_zeroed<uint64_t>(larger.capacity_);
  for (uint32_t n = 0; n < capacity_; ++n) {
    if (keys_[n] == 0) continue;
    const uint32_t slot = larger.slot_of(keys_[n]);
    larger.keys_[slot] = keys_[n];
    larger.values_[slot] = values_[n];
  }
  larger.count_ = count_;
  *this = larger;
}

void AddressTable::insert(uint64_t key, uint64_t value, Undo& undo) {
  if (count_ * 2 >= capacity_) grow(undo);
  const uint32_t slot = slot_of(key);
  undo.word(&keys_[slot]);
  keys_[slot] = key;
  values_[slot] = value;
  ++count_;
}

}  // namespace heddle::machine
