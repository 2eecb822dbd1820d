// The synchronisation objects of a machine, by address: what is known of each mutex, semaphore, barrier and so on.
//
// In:      the address of an object and its kind, when it is used; the end of memory.
// Out:     the objects in the order of their first uses; whether one may lie in a range of bytes.
// Owns:    their table, and a filter of their bytes, which only grows. The objects are the path's memory.
// Threads: the thread that uses the machine.
// Fails:   never.
#pragma once

#include <cstdint>
#include <span>

#include "server/machine/memory/address_map.h"
#include "server/machine/numbering.h"
#include "server/machine/sync/sync.h"

namespace heddle::machine {

uint32_t bytes_of(SyncKind kind);  // of the kinds that begin with a stored initialiser; 0: it begins with a call

class SyncObjects {
 public:
  using Position = AddressMap<SyncObject>::Position;

  explicit SyncObjects(Undo& undo) : objects_(undo), undo_(undo) {}

  SyncObject* find(Pointer at) const { return objects_.find(at.bits); }  // what was there last; null: nothing ever
  std::span<SyncObject* const> all() const { return objects_.all(); }    // of kind None: it is gone
  // What is there, about to change; one that is new has kind None.
  SyncObject& use(Pointer at) {
    SyncObject* const known = find(at);
    SyncObject& found = known != nullptr ? *known : objects_.add(at.bits);
    undo_.touch(found);
    return found;
  }
  void begin(SyncObject& used, SyncKind kind);  // another one at its address: free, and in its first state
  void forget(uint32_t object);                 // the memory is gone: so is what was in it
  bool may_lie_in(uint64_t pointer, uint64_t size) const {
    for (uint64_t granule = pointer / 8; granule <= (pointer + size - 1) / 8; ++granule)
      if (filter_.may_hold(granule)) return true;
    return false;
  }

  const Position& position() const { return objects_.position(); }
  void rewind(const Position& to) { objects_.rewind(to); }

 private:
  AddressMap<SyncObject> objects_;
  Undo& undo_;
  AddressFilter<uint8_t> filter_;  // a unit: 8 bytes of an object
};

}  // namespace heddle::machine
