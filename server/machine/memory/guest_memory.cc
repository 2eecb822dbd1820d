#include "server/machine/memory/guest_memory.h"

#include <cstring>

#include "server/machine/memory/object_bytes.h"

namespace heddle::machine {
namespace {

constexpr uint64_t kPageWords = 512;

// Eight sums at once, which the compiler keeps in wide registers.
bool is_zero_page(const uint8_t* at) {
  uint64_t bits[8] = {};
  for (uint64_t n = 0; n < kPageWords; n += 8) {
    uint64_t words[8];
    std::memcpy(words, at + n * 8, sizeof words);
    for (int k = 0; k < 8; ++k) bits[k] |= words[k];
  }
  return (bits[0] | bits[1] | bits[2] | bits[3] | bits[4] | bits[5] | bits[6] | bits[7]) == 0;
}

// Of a block, part of which may not be accessed; 0: all of it.
uint64_t hash_of_size(uint32_t number, const Object& o) {
  const bool part = o.kind == ObjectKindHost::Heap && (o.flags & kFreed) == 0 && o.size != o.full_size;
  return part ? combine(hash_birth(number, o.full_size), o.size) : 0;
}

}  // namespace

Object& GuestMemory::make_heap(uint32_t number, uint64_t size, bool zeroed) {
  Object& o = objects_.make(number);
  objects_.make_ahead(number);
  o = {};
  const uint64_t bytes = round_up(size), inits = init_bytes(size);
  o.data = blocks_.take_zero(bytes + inits);
  if (!zeroed) o.init = o.data + bytes;
  o.size = o.write_size = o.full_size = static_cast<uint32_t>(size);
  o.born = o.saved_mark = undo_.mark();
  o.kind = ObjectKindHost::Heap;
  now_.heap_bytes += size;
  ++now_.heap_blocks;
  begin_zeroed(number, o);
  return o;
}

void GuestMemory::free_heap(Object& o) {
  now_.heap_bytes -= o.full_size;
  --now_.heap_blocks;
  blocks_.give(o.data);
}

void GuestMemory::set_size(Object& o, uint32_t number, uint32_t size) {
  undo_.touch(o);
  if (now_.hashed) now_.hash ^= hash_of_size(number, o);
  o.size = o.write_size = size;
  if (now_.hashed) now_.hash ^= hash_of_size(number, o);
}

uint32_t GuestMemory::make_hidden(std::string_view name, uint64_t size, const void* contents, bool writable) {
  constexpr uint32_t kNumbers = 2 * kChunkObjects;
  uint64_t hash = 0;
  for (const char c : name) hash = combine(hash, static_cast<unsigned char>(c));
  uint32_t number = kHiddenObjects + static_cast<uint32_t>(hash % kNumbers);
  while (objects_.at(number).data != nullptr) number = kHiddenObjects + (number - kHiddenObjects + 1) % kNumbers;
  Object& o = objects_.make(number);
  o = {};
  hidden_bytes_.push_back(std::make_unique<uint8_t[]>(round_up(size) + 8));
  o.data = hidden_bytes_.back().get();
  if (contents != nullptr) std::memcpy(o.data, contents, size);
  o.size = o.full_size = static_cast<uint32_t>(size);
  if (writable) o.write_size = o.size;
  o.kind = ObjectKindHost::Hidden;
  o.flags = kUnracy;
  o.made_at = CodeAddress{}.index;
  hidden_.push_back({number, hash_of(number, o)});
  return number;
}

bool GuestMemory::all_initialised(const Object& o, uint32_t offset, uint64_t size) const {
  if (o.init == nullptr) return true;
  for (uint64_t n = offset; n < offset + size; ++n)
    if ((o.init[n / 8] >> (n % 8) & 1) == 0) return false;
  return true;
}

bool GuestMemory::any_initialised(const Object& o, uint32_t offset, uint64_t size) const {
  if (o.init == nullptr) return true;
  for (uint64_t n = offset; n < offset + size; ++n)
    if ((o.init[n / 8] >> (n % 8) & 1) != 0) return true;
  return false;
}

// After many stores since the mark: the whole object at once, then no more. Huge ones still word by word.
void GuestMemory::save(Object& o, uint64_t* word) {
  constexpr uint32_t kMost = 4 << 20;
  if (o.full_size > kMost) return undo_.word(word);
  undo_.touch(o);
  undo_.blob(o.data, round_up(o.full_size) / 8);
  if (o.init != nullptr) undo_.blob(o.init, init_bytes(o.full_size) / 8);
  o.born = undo_.mark();
}

void GuestMemory::mark_unwritten(Object& o, uint32_t offset, uint32_t bytes) {
  if (o.init == nullptr) {  // a global, or from calloc: from now on it remembers
    undo_.touch(o);
    const uint64_t size = init_bytes(o.full_size);
    o.init = static_cast<uint8_t*>(undo_.take(size));
    std::memset(o.init, 0xff, size);
  }
  uint8_t* const bits = o.init + offset / 8;
  if (o.born < undo_.mark()) undo_.word(reinterpret_cast<uint64_t*>(o.init + offset / 64 * 8));
  *bits = static_cast<uint8_t>(*bits & ~(bytes << (offset % 8)));
}

void GuestMemory::before_store(Object& o, uint64_t pointer, uint32_t offset, uint64_t size) {
  if (size == 0) return;
  const uint64_t first = offset / 8, words = (offset + size + 7) / 8 - first;
  auto* const at = reinterpret_cast<uint64_t*>(o.data) + first;
  if (o.born < undo_.mark()) {
    if (words > 1)
      undo_.blob(at, words);
    else if (undo_.bulky())
      save(o, at);
    else
      undo_.word(at);
  }
  if (now_.hashed) {
    const uint64_t base = (pointer >> 32 << 32) + first * 8;
    for (uint64_t n = 0; n < words; ++n) now_.hash ^= hash_word(base + n * 8, at[n]);
  }
}

void GuestMemory::after_store(Object& o, uint64_t pointer, uint32_t offset, uint64_t size, bool initialised) {
  if (size == 0) return;
  const uint64_t first = offset / 8, words = (offset + size + 7) / 8 - first;
  if (now_.hashed) {
    const auto* at = reinterpret_cast<const uint64_t*>(o.data) + first;
    const uint64_t base = (pointer >> 32 << 32) + first * 8;
    for (uint64_t n = 0; n < words; ++n) now_.hash ^= hash_word(base + n * 8, at[n]);
  }
  if (!initialised || o.init == nullptr) return;
  if (o.born < undo_.mark()) {
    const uint64_t low = first / 8, high = (first + words + 7) / 8;
    undo_.blob(o.init + low * 8, high - low);
  }
  uint64_t at = offset;
  const uint64_t end = offset + size;
  for (; at < end && at % 8 != 0; ++at) o.init[at / 8] |= static_cast<uint8_t>(1 << (at % 8));
  if (at + 8 <= end) {
    std::memset(o.init + at / 8, 0xff, (end - at) / 8);
    at += (end - at) / 8 * 8;
  }
  for (; at < end; ++at) o.init[at / 8] |= static_cast<uint8_t>(1 << (at % 8));
}

uint64_t GuestMemory::peek(uint64_t at, uint32_t size) const {
  const Object* o = objects_.find(at);
  uint64_t result = 0;
  if (o->data != nullptr && size <= 8 && uint64_t{static_cast<uint32_t>(at)} + size <= o->size)
    result = word_at(o->data + static_cast<uint32_t>(at), size);
  return result;
}

uint64_t GuestMemory::hash_of(uint32_t number, const Object& o) const {
  uint64_t result = hash_birth(number, o.full_size) ^ hash_of_size(number, o);
  const uint64_t words = (uint64_t{o.full_size} + 7) / 8;
  for (uint64_t n = 0; n < words; ++n) {
    while (n % kPageWords == 0 && n + kPageWords <= words && is_zero_page(o.data + n * 8)) n += kPageWords;
    if (n == words) break;
    uint64_t word;
    std::memcpy(&word, o.data + n * 8, 8);
    result ^= hash_word((uint64_t{number} << 32) + n * 8, word);
  }
  return result;
}

}  // namespace heddle::machine
