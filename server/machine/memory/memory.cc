#include <algorithm>
#include <bit>

#include "server/machine/hashing.h"
#include "server/machine/memory/look_ahead.h"
#include "server/machine/memory/object_bytes.h"
#include "server/machine/memory/stack_escape.h"
#include "server/machine/state.h"
#include "server/machine/symbolic/values.h"
#include "server/machine/sync/copies.h"

namespace heddle::machine {
namespace {

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
  if (memory_.heap_bytes() + size > options_.memory_limit || t.heap_objects >= (kHeapChunks << kChunkBits)) {
    memory_limit_reached(*this, t);
    return {};
  }
  const uint32_t number = first_heap_object(t.id) + t.heap_objects++;
  Object& o = memory_.make_heap(number, size, zeroed);
  o.allocated_by = by;
  o.made_at = t.pc > kBuiltinReturnCode ? t.pc : current_pc(t);
  if (HEDDLE_UNLIKELY((code_[o.made_at].flags & (kLibrary | kHandedOn)) != 0))
    heap_sites_.made(number, asked_at(*this, t, o.made_at));
  else
    heap_sites_.made_by_project(number);
  o.made_by = static_cast<uint8_t>(t.id);
  return Pointer::make(number, 0);
}

// Takes the object's bytes out of the fingerprint and makes every further access a fault.
void Machine::State::end_object(Object& o, uint32_t number, uint8_t flag, uint32_t at, uint32_t by) {
  memory_.begin_or_end(number, o);
  undo_.touch(o);
  o.size = o.write_size = 0;
  o.flags |= flag;
  o.ended_at = at;
  o.ended_by = static_cast<uint8_t>(by);
  shadow_.end(o, number);
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
  const Object& o = *s.memory_.find(block.bits);
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
  Object& o = *memory_.find(block.bits);
  const bool given = o.kind == ObjectKindHost::Heap && block.offset() == 0 && !(o.flags & kFreed);
  if (HEDDLE_UNLIKELY(!given || o.allocated_by != by)) return bad_free(*this, t, block, by);
  if (o.size != o.full_size) memory_.set_size(o, block.object(), o.full_size);
  // An object that only one thread has accessed needs no entry.
  const bool known = o.shadow != nullptr || (o.flags & kHasAtomics) != 0 || options_.record_plain_accesses;
  if (root_.tracking && options_.detect_races && o.full_size > 0 && known) {
    frees_ = true;
    access_shared(t, o, block.bits, o.full_size, true);
    frees_ = false;
  }
  const uint32_t ended_at = t.pc > kBuiltinReturnCode ? t.pc : current_pc(t);
  if (HEDDLE_UNLIKELY(in_library(ended_at))) heap_sites_.ended(block.object(), user_pc(t));
  if ((o.flags & kHasAtomics) && ends_in_use(t, block.object(), "frees")) return false;
  end_object(o, block.object(), kFreed, ended_at, t.id);
  memory_.free_heap(o);
  return true;
}

bool Machine::State::end_contents(Thread& t, Pointer block, uint64_t block_end, uint64_t contents_end) {
  Object& o = *memory_.find(block.bits);
  const bool whole = o.kind == ObjectKindHost::Heap && block.offset() == 0 && !(o.flags & kFreed) &&
                     block_end - block.bits == o.full_size && contents_end - block.bits <= o.full_size;
  const auto end = static_cast<uint32_t>(contents_end - block.bits), old = o.size;
  if (!whole || end == old) return true;
  const uint32_t low = std::min(end, old), size = std::max(end, old) - low;
  const Pointer changed{block.bits + low};
  if (end < old) {  // what comes back later was not written
    before_store(o, changed.bits, low, size);
    std::memset(o.data + low, 0, size);
    memory_.after_store(o, changed.bits, low, size, false);
    for (uint32_t at = low; at < old; at = at / 8 * 8 + 8)
      memory_.mark_unwritten(o, at, (1u << (std::min(at / 8 * 8 + 8, old) - at)) - 1);
  }
  if (root_.tracking && options_.detect_races && (o.shadow != nullptr || options_.record_plain_accesses))
    access_shared(t, o, changed.bits, size, true);
  memory_.set_size(o, block.object(), end);
  return true;
}

bool Machine::State::loads_unwritten(Thread& t, uint8_t flags, uint32_t bytes) {
  uint32_t fp = t.fp;
  bool quiet = true;
  while (true) {
    if (quiet && (flags & kCopies)) t.unwritten = (t.unwritten & ~kUnwrittenCopy) | bytes;
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

bool Machine::State::reads_unwritten(Thread& t, uint8_t flags, Object& o, Pointer at, uint32_t size) {
  const uint32_t bytes = unwritten_bytes(o, at.offset(), size);
  if (bytes == 0) return true;  // the bits of another word
  const bool decides = loads_unwritten(t, flags, bytes);
  if (decides && std::popcount(bytes) == static_cast<int>(size)) return check_initialised(t, o, at, size);
  const bool only_copied = (flags & (kCopies | kDecides | kResult)) == kCopies;
  if (!unwritten_decides(*this, t, !only_copied)) return true;
  const auto first = static_cast<uint32_t>(std::countr_zero(bytes));
  return check_initialised(t, o, {at.bits + first}, static_cast<uint32_t>(std::countr_one(bytes >> first)));
}

void Machine::State::keep_unwritten(Thread& t, Object& o, uint32_t offset, const Decoded* store) {
  t.pc = static_cast<uint32_t>(store - code_);
  if (const uint32_t bytes = left_by_store(*this, t)) memory_.mark_unwritten(o, offset, bytes);
}

void Machine::State::before_store(Object& o, uint64_t pointer, uint32_t offset, uint64_t size) {
  if (size == 0) return;
  if (HEDDLE_UNLIKELY(symbols_ != nullptr) && !symbols_->copies) symbols_->clear_bytes(pointer, size);
  memory_.before_store(o, pointer, offset, size);
}

Object* Machine::State::readable(Thread& t, Pointer at, uint64_t size, const char* verb) {
  Object* o = memory_.find(at.bits);
  if (HEDDLE_UNLIKELY(symbols_ != nullptr)) before_model_reads(*this, t, at.bits, std::min<uint64_t>(size, o->size));
  if (HEDDLE_LIKELY(size <= o->size && at.offset() <= o->size - size && (size != 0 || o->kind != ObjectKindHost::None)))
    return o;
  if (size == 0 && o->kind != ObjectKindHost::None && at.offset() <= o->full_size) return o;
  bad_access(t, at, size, verb, false);
  return nullptr;
}

Object* Machine::State::writable(Thread& t, Pointer at, uint64_t size, const char* verb) {
  Object* o = memory_.find(at.bits);
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

// In an object that was written as a whole: a global variable, or from calloc.
static void remember_unwritten(GuestMemory& memory, Object& to, uint32_t at, const Object& from, uint32_t begin,
                               uint64_t size) {
  constexpr uint32_t kLargest = 1 << 20;
  if (to.full_size > kLargest || memory.all_initialised(from, begin, size)) return;
  for (uint32_t n = 0; n < size; ++n)
    if (!memory.any_initialised(from, begin + n, 1)) memory.mark_unwritten(to, at + n, 1);
}

bool Machine::State::copy(Thread& t, Pointer to, Pointer from, uint64_t size, bool may_overlap, bool local) {
  if (size == 0) return true;
  if (HEDDLE_UNLIKELY(Symbols::any(symbols_.get())) && !symbols_->copies &&
      symbols_->any_in(from.bits, std::min<uint64_t>(size, memory_.find(from.bits)->size)))
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
  if (HEDDLE_UNLIKELY(target->init == nullptr && source->init != nullptr))
    remember_unwritten(memory_, *target, to.offset(), *source, from.offset(), size);
  else if (target->init != nullptr && source->init != nullptr) {  // what was not initialised stays so
    // after_store saved the bits of the target for this mark.
    const auto bit = [](uint8_t* bits, uint64_t n) { return bits[n / 8] >> (n % 8) & 1; };
    const bool down = source == target && to.offset() > from.offset();
    if (!memory_.all_initialised(*source, from.offset(), size) && source != target) {
      for (uint64_t n = 0; n < size; ++n) {
        const uint64_t k = down ? size - 1 - n : n;
        if (bit(source->init, from.offset() + k) == 0)
          target->init[(to.offset() + k) / 8] &= static_cast<uint8_t>(~(1u << ((to.offset() + k) % 8)));
      }
    }
  }
  return true;
}

}  // namespace heddle::machine
