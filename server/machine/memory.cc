#include <algorithm>

#include "server/machine/hashing.h"
#include "server/machine/object_bytes.h"
#include "server/machine/stack_escape.h"
#include "server/machine/state.h"
#include "server/machine/symbolic_values.h"
#include "server/machine/sync_copies.h"

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

[[gnu::cold, gnu::noinline]] void memory_limit_reached(Machine::State& s, Thread& t) {
  s.fault(t, FaultKind::MemoryLimit,
          "the program needs more than " + std::to_string(s.options_.memory_limit >> 20) + " MB of memory");
}

}  // namespace

// The call in the project that asked for the block: not the one in the library, nor in a wrapper of malloc. 0: none.
static uint32_t asked_at(const Machine::State& s, const Thread& t, uint32_t made_at) {
  uint32_t at = s.in_library(made_at) ? s.user_pc(t) : made_at;
  if ((s.code_[at].flags & kHandedOn) == 0) return at;
  const std::vector<uint32_t> stack = s.stack_of(t);
  for (auto caller = std::find(stack.begin(), stack.end(), at); caller != stack.end(); ++caller) {
    if (s.in_library(*caller)) break;
    at = *caller;
    if ((s.code_[at].flags & kHandedOn) == 0) break;
  }
  return at;
}

Pointer Machine::State::make_heap_object(Thread& t, uint64_t size, bool zeroed, AllocatedBy by) {
  if (size > options_.memory_limit || size >= (uint64_t{1} << 31)) return {};
  if (root_.heap_bytes + size > options_.memory_limit || t.heap_objects >= (kHeapChunks << kChunkBits)) {
    memory_limit_reached(*this, t);
    return {};
  }
  const uint32_t number = first_heap_object(t.id) + t.heap_objects++;
  Object& o = objects_.make(number);
  objects_.make_ahead(number);
  o = {};
  const uint64_t bytes = round_up(size), inits = init_bytes(size);
  o.data = blocks_.take_zero(bytes + inits);
  if (!zeroed) o.init = o.data + bytes;
  o.size = o.write_size = o.full_size = static_cast<uint32_t>(size);
  o.born = o.saved_mark = undo_.mark();
  o.allocated_by = by;
  o.made_at = t.pc > kBuiltinReturnCode ? t.pc : current_pc(t);
  if (HEDDLE_UNLIKELY((code_[o.made_at].flags & (kLibrary | kHandedOn)) != 0))
    heap_sites_.made(number, asked_at(*this, t, o.made_at));
  else
    heap_sites_.made_by_project(number);
  o.made_by = static_cast<uint8_t>(t.id);
  o.kind = ObjectKindHost::Heap;
  root_.heap_bytes += size;
  ++root_.heap_blocks;
  if (root_.hashed) root_.memory_hash ^= hash_birth(number, o.full_size);
  return Pointer::make(number, 0);
}

// Takes the object's bytes out of the fingerprint and makes every further access a fault.
void Machine::State::end_object(Object& o, uint32_t number, uint8_t flag, uint32_t at, uint32_t by) {
  if (root_.hashed) root_.memory_hash ^= hash_object(number, o);
  undo_.touch(o);
  o.size = o.write_size = 0;
  o.flags |= flag;
  o.ended_at = at;
  o.ended_by = static_cast<uint8_t>(by);
  if (o.shadow != nullptr) {
    if (root_.shadow_hashed) root_.shadow_hash -= hash_of_shadow(number, o);
    blocks_.give(reinterpret_cast<uint8_t*>(o.shadow));
    o.shadow = nullptr;
  }
  if ((o.flags & kHasAtomics) == 0) return;
  sync_objects_.forget(number);
  atomics_.forget(number);
}

namespace {
const char* taken_by(AllocatedBy by) {
  return by == AllocatedBy::Malloc ? "free" : by == AllocatedBy::New ? "delete" : "delete[]";
}
const char* given_by(AllocatedBy by) {
  return by == AllocatedBy::Malloc ? "malloc" : by == AllocatedBy::New ? "new" : "new[]";
}

// Out of the way of what is called often, as memory_limit_reached is.
[[gnu::cold, gnu::noinline]] bool bad_free(Machine::State& s, Thread& t, Pointer block, AllocatedBy by) {
  const Object& o = *s.objects_.find(block.bits);
  if (o.kind != ObjectKindHost::Heap || block.offset() != 0) {
    if (o.kind == ObjectKindHost::None && block.object() != 0)
      return s.fault(t, FaultKind::InvalidFree, "frees a pointer that is no address", block);
    return s.fault(t, FaultKind::InvalidFree,
                   o.kind == ObjectKindHost::Heap
                       ? "frees " + s.describe_object(block) + " not at its start"
                       : "frees " + s.describe_object(block) + ", which is not from " + given_by(by),
                   block);
  }
  if (o.flags & kFreed) return s.fault(t, FaultKind::DoubleFree, "frees " + s.describe_object(block) + " again", block);
  return s.fault(t, FaultKind::InvalidFree,
                 "takes " + s.describe_object(block) + " back with " + taken_by(by) + ", but it is from " +
                     given_by(o.allocated_by),
                 block);
}
}  // namespace

bool Machine::State::free_heap_object(Thread& t, Pointer block, AllocatedBy by) {
  if (block.bits == 0) return true;
  Object& o = *objects_.find(block.bits);
  const bool given = o.kind == ObjectKindHost::Heap && block.offset() == 0 && !(o.flags & kFreed);
  if (HEDDLE_UNLIKELY(!given || o.allocated_by != by)) return bad_free(*this, t, block, by);
  // An object that only one thread has accessed needs no entry.
  const bool known = o.shadow != nullptr || (o.flags & kHasAtomics) != 0 || options_.record_plain_accesses;
  if (root_.tracking && options_.detect_races && o.full_size > 0 && known) {
    frees_ = true;
    access_shared(t, o, block.bits, o.full_size, true);
    frees_ = false;
  }
  root_.heap_bytes -= o.full_size;
  --root_.heap_blocks;
  const uint32_t ended_at = t.pc > kBuiltinReturnCode ? t.pc : current_pc(t);
  if (HEDDLE_UNLIKELY(in_library(ended_at))) heap_sites_.ended(block.object(), user_pc(t));
  if ((o.flags & kHasAtomics) && ends_in_use(t, block.object(), "frees")) return false;
  end_object(o, block.object(), kFreed, ended_at, t.id);
  blocks_.give(o.data);
  return true;
}

bool Machine::State::bytes_initialised(const Object& o, uint32_t offset, uint64_t size) const {
  if (o.init == nullptr) return true;
  for (uint64_t n = offset; n < offset + size; ++n)
    if ((o.init[n / 8] >> (n % 8) & 1) == 0) return false;
  return true;
}

bool Machine::State::any_initialised(const Object& o, uint32_t offset, uint64_t size) const {
  if (o.init == nullptr) return true;
  for (uint64_t n = offset; n < offset + size; ++n)
    if ((o.init[n / 8] >> (n % 8) & 1) != 0) return true;
  return false;
}

// After many stores since the mark: the whole object at once, then no more. Huge ones still word by word.
void Machine::State::save_object(Object& o, uint64_t* word) {
  constexpr uint32_t kMost = 4 << 20;
  if (o.full_size > kMost) return undo_.word(word);
  undo_.touch(o);
  undo_.blob(o.data, round_up(o.full_size) / 8);
  if (o.init != nullptr) undo_.blob(o.init, init_bytes(o.full_size) / 8);
  o.born = undo_.mark();
}

bool Machine::State::loads_unwritten(Thread& t, uint8_t flags, uint32_t bytes) {
  uint32_t fp = t.fp;
  bool quiet = true;
  while (true) {
    if (quiet && (flags & kCopies)) t.unwritten = bytes;
    if (flags & kDecides) return true;
    if (!(flags & kResult) || fp < kHeader) return false;
    quiet &= (flags & kQuiet) != 0;
    const uint64_t link = t.stack[fp - 1];
    const uint32_t call = static_cast<uint32_t>(link) - 1;
    if (static_cast<uint32_t>(link) == 0 || call <= kBuiltinReturnCode) return false;
    flags = code_[call].flags;
    fp = static_cast<uint32_t>(link >> 32);
  }
}

void Machine::State::keep_unwritten(Thread& t, Object& o, uint32_t offset) {
  const uint32_t bytes = t.unwritten << (offset % 8);
  t.unwritten = 0;
  if (o.init == nullptr) {  // a global, or from calloc: from now on it remembers
    undo_.touch(o);
    const uint64_t size = init_bytes(o.full_size);
    o.init = static_cast<uint8_t*>(undo_.take(size));
    std::memset(o.init, 0xff, size);
  }
  uint8_t* const bits = o.init + offset / 8;
  if (o.born < undo_.mark()) undo_.word(reinterpret_cast<uint64_t*>(o.init + offset / 64 * 8));
  *bits = static_cast<uint8_t>(*bits & ~bytes);
}

void Machine::State::before_store(Object& o, uint64_t pointer, uint32_t offset, uint64_t size) {
  if (size == 0) return;
  if (HEDDLE_UNLIKELY(symbols_ != nullptr) && !symbols_->copies) symbols_->clear_bytes(pointer, size);
  const uint64_t first = offset / 8, words = (offset + size + 7) / 8 - first;
  auto* const at = reinterpret_cast<uint64_t*>(o.data) + first;
  if (o.born < undo_.mark()) {
    if (words > 1)
      undo_.blob(at, words);
    else if (undo_.bulky())
      save_object(o, at);
    else
      undo_.word(at);
  }
  if (root_.hashed) {
    const uint64_t base = (pointer >> 32 << 32) + first * 8;
    for (uint64_t n = 0; n < words; ++n) root_.memory_hash ^= hash_word(base + n * 8, at[n]);
  }
}

void Machine::State::after_store(Object& o, uint64_t pointer, uint32_t offset, uint64_t size, bool initialised) {
  if (size == 0) return;
  const uint64_t first = offset / 8, words = (offset + size + 7) / 8 - first;
  if (root_.hashed) {
    const auto* at = reinterpret_cast<const uint64_t*>(o.data) + first;
    const uint64_t base = (pointer >> 32 << 32) + first * 8;
    for (uint64_t n = 0; n < words; ++n) root_.memory_hash ^= hash_word(base + n * 8, at[n]);
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

Object* Machine::State::readable(Thread& t, Pointer at, uint64_t size, const char* verb) {
  Object* o = objects_.find(at.bits);
  if (HEDDLE_UNLIKELY(symbols_ != nullptr)) before_model_reads(*this, t, at.bits, std::min<uint64_t>(size, o->size));
  if (HEDDLE_LIKELY(size <= o->size && at.offset() <= o->size - size && (size != 0 || o->kind != ObjectKindHost::None)))
    return o;
  if (size == 0 && o->kind != ObjectKindHost::None && at.offset() <= o->full_size) return o;
  bad_access(t, at, size, verb, false);
  return nullptr;
}

Object* Machine::State::writable(Thread& t, Pointer at, uint64_t size, const char* verb) {
  Object* o = objects_.find(at.bits);
  if (HEDDLE_LIKELY(size <= o->write_size && at.offset() <= o->write_size - size &&
                    (size != 0 || o->kind != ObjectKindHost::None)))
    return o;
  if (size == 0 && o->kind != ObjectKindHost::None && at.offset() <= o->full_size) return o;
  bad_access(t, at, size, verb, true);
  return nullptr;
}

bool Machine::State::read(Thread& t, Pointer from, void* to, uint64_t size) {
  if (size == 0) return true;
  Object* o = readable(t, from, size);
  if (o == nullptr) return false;
  if (HEDDLE_UNLIKELY(root_.tracking)) access_shared(t, *o, from.bits, size, false);
  std::memcpy(to, o->data + from.offset(), size);
  return true;
}

bool Machine::State::write(Thread& t, Pointer to, const void* from, uint64_t size) {
  if (size == 0) return true;
  Object* o = writable(t, to, size);
  if (o == nullptr) return false;
  if (HEDDLE_UNLIKELY(root_.tracking)) access_shared(t, *o, to.bits, size, true);
  if (std::memcmp(o->data + to.offset(), from, size) != 0) ++t.stores;  // errno set again, say, changes nothing
  before_store(*o, to.bits, to.offset(), size);
  std::memcpy(o->data + to.offset(), from, size);
  after_store(*o, to.bits, to.offset(), size);
  if (HEDDLE_UNLIKELY(symbols_ != nullptr) && symbols_->place_later(to.bits, size)) ++t.stores;
  return true;
}

bool Machine::State::fill(Thread& t, Pointer to, uint8_t byte, uint64_t size, bool local) {
  if (size == 0) return true;
  Object* o = writable(t, to, size);
  if (o == nullptr) return false;
  if (HEDDLE_UNLIKELY(root_.tracking) && !local) access_shared(t, *o, to.bits, size, true);
  before_store(*o, to.bits, to.offset(), size);
  std::memset(o->data + to.offset(), byte, size);
  after_store(*o, to.bits, to.offset(), size);
  ++t.stores;
  return true;
}

bool Machine::State::copy(Thread& t, Pointer to, Pointer from, uint64_t size, bool may_overlap, bool local) {
  if (size == 0) return true;
  if (HEDDLE_UNLIKELY(Symbols::any(symbols_.get())) && !symbols_->copies &&
      symbols_->any_in(from.bits, std::min<uint64_t>(size, objects_.find(from.bits)->size)))
    return copy_symbols(*this, t, to, from, size, may_overlap, local);
  Object* source = readable(t, from, size);
  if (source == nullptr) return false;
  Object* target = writable(t, to, size);
  if (target == nullptr) return false;
  if (!may_overlap && source == target && to.bits != from.bits && to.offset() < from.offset() + size &&
      from.offset() < to.offset() + size)
    return fault(t, FaultKind::OutOfBounds, "copies between overlapping parts of " + describe_object(to), to,
                 static_cast<uint32_t>(size));
  if (HEDDLE_UNLIKELY(root_.tracking) && !local) {
    access_shared(t, *source, from.bits, size, false);
    access_shared(t, *target, to.bits, size, true);
  }
  before_store(*target, to.bits, to.offset(), size);
  std::memmove(target->data + to.offset(), source->data + from.offset(), size);
  if (HEDDLE_UNLIKELY((source->flags & kHasAtomics) != 0)) mark_copied_locks(*this, *target, to, from, size);
  constexpr uint64_t kSmall = 64;  // a closure or a small structure: addresses in it outlive their frame as stored ones
  for (uint64_t n = 0; size <= kSmall && (to.offset() & 7) == 0 && n + 8 <= size; n += 8) {
    uint64_t word = 0;
    std::memcpy(&word, target->data + to.offset() + n, 8);
    if (HEDDLE_UNLIKELY(may_be_stack_address(word))) note_stack_address(*this, t, to.bits, word);
  }
  after_store(*target, to.bits, to.offset(), size);
  ++t.stores;
  if (target->init != nullptr && source->init != nullptr) {  // what was not initialised stays so
    // after_store saved the bits of the target for this mark.
    const auto bit = [](uint8_t* bits, uint64_t n) { return bits[n / 8] >> (n % 8) & 1; };
    const bool down = source == target && to.offset() > from.offset();
    if (!bytes_initialised(*source, from.offset(), size) && source != target) {
      for (uint64_t n = 0; n < size; ++n) {
        const uint64_t k = down ? size - 1 - n : n;
        if (bit(source->init, from.offset() + k) == 0)
          target->init[(to.offset() + k) / 8] &= static_cast<uint8_t>(~(1u << ((to.offset() + k) % 8)));
      }
    }
  }
  return true;
}

uint64_t Machine::State::peek(Pointer at, uint32_t size) const {
  const Object* o = objects_.find(at.bits);
  uint64_t result = 0;
  if (o->data != nullptr && size <= 8 && uint64_t{at.offset()} + size <= o->size)
    result = word_at(o->data + at.offset(), size);
  return result;
}

uint64_t Machine::State::hash_object(uint32_t number, const Object& o) const {
  uint64_t result = hash_birth(number, o.full_size);
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
