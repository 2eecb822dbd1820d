// Guest memory objects and the table that finds them by number.
//
// In:      object numbers, the upper half of a guest pointer.
// Out:     an Object: where its bytes are on the host, how many are accessible, which operation made and ended it.
// Cost:    two loads per lookup; chunks of descriptors are mapped when they are first used.
// Owns:    the descriptors; the bytes belong to the machine.
// Threads: one at a time.
// Fails:   never; an unused number finds a dead object of kind None. Running out of host memory ends the process.
#pragma once

#include <cstdint>
#include <cstring>

#include "server/machine/memory/shadow.h"
#include "server/machine/types.h"

namespace heddle::machine {

enum class ObjectKindHost : uint8_t { None, Global, Constant, Function, External, ThreadLocal, Heap, Stack, Hidden };

// Object::flags
inline constexpr uint8_t kScopeEnded = 1;  // lifetime.end
inline constexpr uint8_t kReturned = 2;    // the function returned
inline constexpr uint8_t kFreed = 4;
inline constexpr uint8_t kHasAtomics = 8;     // some bytes were accessed atomically
inline constexpr uint8_t kMixedAtomics = 32;  // and some of them in several sizes or at overlapping places
inline constexpr uint8_t kUnracy = 16;        // the library's own: not checked for races
inline constexpr uint8_t kNotBegun = 128;     // its scope has not begun: it takes no room on the stack yet

// Which function gave a heap block; its counterpart has to take it back.
enum class AllocatedBy : uint8_t { Malloc, New, NewArray };

// In front of every block of reusable memory.
struct BlockHeader {
  uint32_t born;  // stores need no trail entry while born == current mark
  uint32_t size_class;
  uint64_t next;  // in the free list
};
inline BlockHeader& header_of(void* block) { return static_cast<BlockHeader*>(block)[-1]; }

struct Object {
  uint8_t* data;
  uint32_t size;        // bytes that may be read; 0 when dead
  uint32_t write_size;  // bytes that may be written; 0 when dead or constant
  uint8_t* init;        // a bit per byte that was written; null: all
  ShadowCell* shadow;   // null: never accessed while several threads lived
  uint32_t born;        // stores need no trail entry while born == current mark
  uint32_t saved_mark;  // the descriptor itself is saved for this mark
  uint32_t full_size;
  uint32_t made_at;   // code index of the allocation; Global, Function, External: id
  uint32_t ended_at;  // code index of free, return, lifetime.end
  ObjectKindHost kind;
  uint8_t flags;
  uint8_t shadow_shift;       // the smallest granules have 1 << shift bytes
  uint8_t made_by, ended_by;  // threads
  AllocatedBy allocated_by;   // Heap
  uint16_t declaration;       // Stack: index into Function::stack_objects
};
static_assert(sizeof(Object) == 64);

inline constexpr uint32_t kChunkBits = 16;
inline constexpr uint32_t kChunkObjects = 1u << kChunkBits;
inline constexpr uint32_t kThreadChunks = 64;  // of which the last 16 are for stack objects
inline constexpr uint32_t kHeapChunks = 48;
inline constexpr uint32_t kThreadsMax = 250;
inline constexpr uint32_t kHiddenObjects = 32u << kChunkBits;  // the first of process objects and constant strings

constexpr uint32_t first_heap_object(uint32_t thread) { return (thread + 1) * kThreadChunks << kChunkBits; }
constexpr uint32_t first_stack_object(uint32_t thread) {
  return ((thread + 1) * kThreadChunks + kHeapChunks) << kChunkBits;
}

// Up to 8 bytes as a number; of the usual sizes without a call.
inline uint64_t word_at(const uint8_t* bytes, uint32_t size) {
  const auto of = [bytes]<typename T>(T value) -> uint64_t {
    std::memcpy(&value, bytes, sizeof(T));
    return value;
  };
  switch (size) {
    case 1: return of(uint8_t{});
    case 2: return of(uint16_t{});
    case 4: return of(uint32_t{});
    case 8: return of(uint64_t{});
    default: break;
  }
  uint64_t value = 0;
  std::memcpy(&value, bytes, size);
  return value;
}
inline void put_word(uint8_t* bytes, uint64_t value, uint32_t size) {
  const auto as = [bytes]<typename T>(T part) { std::memcpy(bytes, &part, sizeof(T)); };
  switch (size) {
    case 1: return as(static_cast<uint8_t>(value));
    case 2: return as(static_cast<uint16_t>(value));
    case 4: return as(static_cast<uint32_t>(value));
    case 8: return as(value);
    default: std::memcpy(bytes, &value, size);
  }
}

class ObjectTable {
 public:
  ObjectTable();
  ~ObjectTable();
  ObjectTable(const ObjectTable&) = delete;
  ObjectTable& operator=(const ObjectTable&) = delete;

  Object* find(uint64_t pointer_bits) const {
    return chunks_[pointer_bits >> (32 + kChunkBits)] + ((pointer_bits >> 32) & (kChunkObjects - 1));
  }
  Object& at(uint32_t number) const { return *find(uint64_t{number} << 32); }
  // The descriptor for a number about to be used; maps its chunk.
  Object& make(uint32_t number) {
    if (__builtin_expect(chunks_[number >> kChunkBits] == empty_, 0)) map(number >> kChunkBits);
    return at(number);
  }
  // Of a thread that makes objects in number: those of a few pages ahead get their memory at once.
  void make_ahead(uint32_t number) {
    if (__builtin_expect(number % kObjectsAhead == 0, 0)) populate(number);
  }
  Object* const* chunks() const { return chunks_; }

 private:
  static constexpr uint32_t kObjectsAhead = 2048;
  void map(uint32_t chunk);
  void populate(uint32_t number);
  Object** chunks_ = nullptr;
  Object* empty_ = nullptr;
};

}  // namespace heddle::machine
