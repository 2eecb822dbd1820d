#include "server/machine/memory/shadow_memory.h"

#include "server/machine/hashing.h"

namespace heddle::machine {
namespace {

constexpr uint64_t pack(uint32_t epoch, uint32_t at) { return epoch | uint64_t{at} << 32; }

}  // namespace

// Of many readers each counts: which clock has their epochs differs between equal states.
uint64_t ShadowMemory::hash_reads(uint32_t number, uint32_t read_epoch) const {
  if (HEDDLE_LIKELY(read_epoch < kManyReaders)) return hash_epoch(number, false, read_epoch);
  const Clock& readers = clocks_.at(read_epoch & 0xffffff);
  uint64_t result = 0;
  for (uint32_t u = 0; u < threads_.limit(); ++u)
    if (readers.at[u] != 0) result += hash_epoch(number, false, u << 24 | readers.at[u]);
  return result;
}

uint64_t ShadowMemory::hash_of(uint32_t number, const Object& o) const {
  uint64_t result = 0;
  for_each_granule(o.shadow, o.shadow_shift, 0, o.full_size, [&](const ShadowCell& cell, uint32_t begin, uint32_t end) {
    result +=
        (hash_epoch(number, true, cell.write_epoch) + hash_reads(number, cell.read_epoch)) * hash_span(begin, end);
    return true;
  });
  return result;
}

void ShadowMemory::set(ShadowCell& cell, bool write, uint32_t epoch, uint32_t at, uint64_t begin) {
  uint64_t* const word = reinterpret_cast<uint64_t*>(&cell) + (write ? 0 : 1);
  const uint64_t value = pack(epoch, write ? at | uint32_t{cell.halvings} << 30 : at);
  if (*word == value) return;
  if (now_.hashed) {
    const auto number = static_cast<uint32_t>(begin >> 32), first = static_cast<uint32_t>(begin);
    const auto before = static_cast<uint32_t>(*word);
    const uint64_t change = write ? hash_epoch(number, true, epoch) - hash_epoch(number, true, before)
                                  : hash_reads(number, epoch) - hash_reads(number, before);
    now_.hash += change * hash_span(first, first + (8u >> cell.halvings));
  }
  *word = value;
}

void ShadowMemory::add_reader(const Thread& t, ShadowCell& cell, uint32_t at, uint64_t span, uint32_t object) {
  Clock& readers = clocks_.at(cell.read_epoch & 0xffffff);
  Clock& places = clocks_.at(cell.read_at);
  clocks_.touch(readers);
  clocks_.touch(places);
  if (now_.hashed) {
    const uint32_t before = readers.at[t.id] == 0 ? 0 : epoch_of(t.id, readers.at[t.id]);
    now_.hash += (hash_epoch(object, false, clocks_.now(t)) - hash_epoch(object, false, before)) * span;
  }
  readers.at[t.id] = t.events + 1;
  places.at[t.id] = at;
}

void ShadowMemory::end(Object& o, uint32_t number) {
  if (o.shadow == nullptr) return;
  if (now_.hashed) now_.hash -= hash_of(number, o);
  blocks_.give(reinterpret_cast<uint8_t*>(o.shadow));
  o.shadow = nullptr;
}

void ShadowMemory::refine(Object& o, uint8_t shift) {
  undo_.touch(o);
  const uint64_t cells = shadow_cells(o.full_size, shift);
  auto* fresh = reinterpret_cast<ShadowCell*>(blocks_.take_zero(cells * sizeof(ShadowCell)));
  if (o.shadow != nullptr) {
    const uint64_t before = shadow_cells(o.full_size, o.shadow_shift);
    for (uint64_t n = 0; n < before; ++n) {
      const ShadowCell& cell = o.shadow[n];
      const bool used = cell.write_epoch != 0 || cell.read_epoch != 0 || cell.halvings != 0;
      if (used) fresh[n << (o.shadow_shift - shift)] = cell;  // other pages stay untouched
    }
    blocks_.give(reinterpret_cast<uint8_t*>(o.shadow));
  }
  o.shadow = fresh;
  o.shadow_shift = shift;
}

void ShadowMemory::split(Object& o, uint32_t offset) {
  const bool logged = header_of(o.shadow).born < undo_.mark();
  for (uint32_t begin = granule_begin(o.shadow, o.shadow_shift, offset); begin != offset;) {
    ShadowCell& cell = shadow_cell(o.shadow, o.shadow_shift, begin);
    const uint32_t middle = begin + (4u >> cell.halvings);
    ShadowCell& other = shadow_cell(o.shadow, o.shadow_shift, middle);
    if (logged) {
      undo_.word(reinterpret_cast<uint64_t*>(&cell));
      undo_.blob(&other, sizeof(ShadowCell) / 8);
    }
    ++cell.halvings;
    other = cell;
    if (cell.read_epoch >= kManyReaders) {  // from now on each half has its own
      const uint32_t readers = clocks_.make(), places = clocks_.make();
      clocks_.copy(readers, cell.read_epoch & 0xffffff);
      clocks_.copy(places, cell.read_at);
      other.read_epoch = kManyReaders | readers;
      other.read_at = places;
    }
    if (offset >= middle) begin = middle;
  }
}

}  // namespace heddle::machine
