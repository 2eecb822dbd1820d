#include "server/machine/memory/object.h"

#include <sys/mman.h>

#include "server/machine/memory/trail.h"

namespace heddle::machine {
namespace {

constexpr uint64_t kChunkBytes = sizeof(Object) * kChunkObjects;
constexpr uint32_t kChunks = 1u << (32 - kChunkBits);

void* map_zeroes(uint64_t bytes, bool writable) {
  void* result = mmap(nullptr, bytes, writable ? PROT_READ | PROT_WRITE : PROT_READ,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (result == MAP_FAILED) out_of_memory("the explorer's memory limit leaves room for object tables");
  return result;
}

}  // namespace

ObjectTable::ObjectTable() {
  empty_ = static_cast<Object*>(map_zeroes(kChunkBytes, false));
  chunks_ = static_cast<Object**>(map_zeroes(kChunks * sizeof(Object*), true));
  for (uint32_t n = 0; n < kChunks; ++n) chunks_[n] = empty_;
}

ObjectTable::~ObjectTable() {
  for (uint32_t n = 0; n < kChunks; ++n)
    if (chunks_[n] != empty_) munmap(chunks_[n], kChunkBytes);
  munmap(empty_, kChunkBytes);
  munmap(chunks_, kChunks * sizeof(Object*));
}

// A thread that needs a second chunk makes objects in great number: large pages save most of the cost of first use.
void ObjectTable::map(uint32_t chunk) {
  chunks_[chunk] = static_cast<Object*>(map_zeroes(kChunkBytes, true));
  const uint32_t of_thread = chunk % kThreadChunks;
  if (of_thread != 0 && of_thread != kHeapChunks) madvise(chunks_[chunk], kChunkBytes, MADV_HUGEPAGE);
}

void ObjectTable::populate(uint32_t number) {
  const uint32_t in_chunk = number % kChunkObjects;
  if (in_chunk != 0)
    madvise(chunks_[number >> kChunkBits] + in_chunk, kObjectsAhead * sizeof(Object), MADV_POPULATE_WRITE);
}

}  // namespace heddle::machine
