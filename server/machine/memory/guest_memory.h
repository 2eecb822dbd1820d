// The guest's memory: objects with their bytes, which bytes were written, and the hash of all that.
//
// In:      object numbers, guest pointers that the caller has checked, the bytes that are stored.
// Out:     objects; bytes that come back with the path; a hash that follows every store once it was asked for.
// Cost:    a store saves a word once per mark and object, and hashes it twice if there is a hash.
// Owns:    the descriptors, the hidden objects; the other bytes are the path's memory (Undo, Blocks).
// Threads: the thread that uses the machine. It knows no guest threads, no races and no faults: State checks first.
// Fails:   never; running out of host memory ends the process.
// From:    PorSe section 4.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "server/machine/hashing.h"
#include "server/machine/memory/blocks.h"
#include "server/machine/memory/object.h"
#include "server/machine/memory/undo.h"

namespace heddle::machine {

class GuestMemory {
 public:
  class Position {  // what a mark keeps
    friend class GuestMemory;
    uint64_t heap_bytes = 0, heap_blocks = 0;  // live
    uint64_t hash = 0;
    bool hashed = false;  // hash is right and kept so
  };
  struct Hidden {  // an object that the library's models made when they first needed it
    uint32_t number;
    uint64_t made_hash;  // of the contents it was made with: not part of the state
  };

  GuestMemory(Undo& undo, Blocks& blocks) : undo_(undo), blocks_(blocks) {}
  GuestMemory(const GuestMemory&) = delete;
  GuestMemory& operator=(const GuestMemory&) = delete;

  // --- objects by number or pointer ---
  Object* find(uint64_t pointer) const { return objects_.find(pointer); }
  Object& at(uint32_t number) const { return objects_.at(number); }
  Object& make(uint32_t number) { return objects_.make(number); }  // its descriptor, to be filled in
  Object* const* chunks() const { return objects_.chunks(); }

  // --- their lives ---
  Object& make_heap(uint32_t number, uint64_t size, bool zeroed);  // what made it is the caller's to say
  void free_heap(Object& o);                                       // after end(): the bytes may be used again
  // Its number follows from its name: other objects that were made before, on paths that were taken back, do not
  // matter.
  uint32_t make_hidden(std::string_view name, uint64_t size, const void* contents, bool writable);
  void forget_newest_hidden() { hidden_.pop_back(); }
  const std::vector<Hidden>& hidden() const { return hidden_; }
  void begin_zeroed(uint32_t number, const Object& o) {  // its bytes are zero: they count from now on
    if (now_.hashed) now_.hash ^= hash_birth(number, o.full_size);
  }
  void begin_or_end(uint32_t number, const Object& o) {  // its bytes as they are: they count from now on, or no more
    if (now_.hashed) now_.hash ^= hash_of(number, o);
  }
  void set_size(Object& o, uint32_t number, uint32_t size);  // of a block: less than all of it may be accessed
  uint64_t heap_bytes() const { return now_.heap_bytes; }
  uint64_t heap_blocks() const { return now_.heap_blocks; }

  // --- bytes ---
  void before_store(Object& o, uint64_t pointer, uint32_t offset, uint64_t size);  // then write, then
  void after_store(Object& o, uint64_t pointer, uint32_t offset, uint64_t size, bool initialised);
  void save(Object& o, uint64_t* word);             // before one word of it changes; after many stores, all of it
  uint64_t peek(uint64_t at, uint32_t size) const;  // 0 if it is not there
  bool all_initialised(const Object& o, uint32_t offset, uint64_t size) const;
  bool any_initialised(const Object& o, uint32_t offset, uint64_t size) const;
  void mark_unwritten(Object& o, uint32_t offset, uint32_t bytes);  // a bit per byte from `offset` on

  // --- hash ---
  bool hashed() const { return now_.hashed; }
  uint64_t hash() const { return now_.hash; }
  void begin_hash(uint64_t hash) {  // of all that counts
    now_.hash = hash;
    now_.hashed = true;
  }
  void change_hash(uint64_t difference) { now_.hash ^= difference; }
  Position count_changes() {  // from here on, whether there is a hash or not; until end_counting(what it returned)
    const Position before = now_;
    now_.hashed = true;
    return before;
  }
  void end_counting(const Position& before) {
    if (before.hashed) return;
    now_.hashed = false;
    now_.hash = before.hash;
  }
  uint64_t hash_of(uint32_t number, const Object& o) const;

  const Position& position() const { return now_; }
  void rewind(const Position& to) { now_ = to; }

 private:
  Undo& undo_;
  Blocks& blocks_;
  ObjectTable objects_;
  Position now_;
  std::vector<std::unique_ptr<uint8_t[]>> hidden_bytes_;
  std::vector<Hidden> hidden_;
};

}  // namespace heddle::machine
