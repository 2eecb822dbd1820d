#include "server/explore/state_summary.h"

namespace heddle::explore {

void SharedCells::begin() {
  for (Cell& cell : cells_) {
    cell.left_out = cell.threads = 0;
    cell.written = false;
  }
}

uint32_t SharedCells::note(uint32_t thread, Kind kind, uint32_t object, uint32_t n, bool write) {
  const uint32_t number = numbers_.number(uint64_t{object} << 32 | uint64_t{static_cast<uint8_t>(kind)} << 29 | n);
  if (number == cells_.size()) cells_.emplace_back();
  Cell& cell = cells_[number];
  if (cell.shared) return number;
  cell.written |= write;
  if (cell.written && (cell.threads & ~only(thread)) != 0) {
    cell.shared = true;
    cell.left_out = cell.threads;
  }
  cell.threads |= only(thread);
  return number;
}

void StateSummaries::touch_memory(Step& step, uint32_t object, uint32_t begin, uint64_t end, uint64_t how) {
  constexpr uint32_t kShift = 5;
  const bool write = static_cast<TouchMode>(how & 3) != TouchMode::Read;
  for (uint64_t n = begin >> kShift; n <= (end - 1) >> kShift; ++n) {
    const uint32_t cell = cells_.note(step.thread, SharedCells::Kind::Memory, object, static_cast<uint32_t>(n), write);
    step.touches.push_back(uint64_t{cell} << 10 | how);
  }
}

void StateSummaries::touch(Step& step, const TouchedRange& range) {
  using Kind = SharedCells::Kind;
  const bool write = range.mode == TouchMode::Write, releases = range.releases == Releases::Certainly;
  const uint64_t how = static_cast<uint64_t>(range.mode) | (range.waits ? kWaits : 0) | (releases ? kReleases : 0);
  step.wakes |= write || releases;
  if (range.space == TouchSpace::Memory) {
    touch_memory(step, range.object, range.begin, range.end, how);
    return;
  }
  const auto add = [&](Kind kind, uint32_t n, TouchMode mode, uint64_t flags) {
    const uint32_t cell = cells_.note(step.thread, kind, range.object, n, mode != TouchMode::Read);
    step.touches.push_back(uint64_t{cell} << 10 | flags | static_cast<uint64_t>(mode));
    return cell;
  };
  // An operation that ends all synchronisation objects of a block conflicts with each use of one of them.
  if (range.space == TouchSpace::Synchronisation) {
    const bool all = range.end - range.begin > 1;
    add(Kind::Block, 0, all ? TouchMode::Write : TouchMode::Read, 0);
    if (all) return;
  }
  const uint32_t cell = add(static_cast<Kind>(range.space), range.begin, range.mode, how & ~uint64_t{3});
  // Order by words of atomics, too, would make summaries long, and distinguish little that locks do not.
  const uint32_t bit = write ? operated_.number(cell) : 64;
  if (bit < 64) step.written |= uint64_t{1} << bit;
}

void StateSummaries::add_operation(Step& step, const Footprint& touched) {
  for (uint32_t n = 0; n < touched.count; ++n) touch(step, touched.ranges[n]);
}

void StateSummaries::add_access(Step& step, uint32_t object, uint32_t offset, uint64_t size, bool write) {
  touch_memory(step, object, offset, offset + std::max<uint64_t>(size, 1),
               static_cast<uint64_t>(write ? TouchMode::Write : TouchMode::Read));
}

uint64_t StateSummaries::own(const Step& step, uint64_t touch) {
  const uint32_t number = touches_.number(touch | uint64_t{step.thread} << 4);
  if (number == own_keys_.size()) {
    const uint32_t cell = cell_of(touch);
    if (touches_of_cell_.size() <= cell) touches_of_cell_.resize(cell + 1);
    touches_of_cell_[cell].push_back(number);
    own_keys_.push_back(key({number, only(step.thread), 0}));
  }
  return own_keys_[number];
}

void StateSummaries::put(Summary& sorted, uint64_t key) const {
  if (!sorted.empty() && sorted.back() >> 32 == key >> 32) {
    const Entry& mine = entry(key);
    for (size_t n = sorted.size(); n-- > 0 && sorted[n] >> 32 == key >> 32;) {
      const Entry& other = entry(sorted[n]);
      if ((other.threads & ~mine.threads) == 0 && (other.written & ~mine.written) == 0) return;
      if ((mine.threads & ~other.threads) == 0 && (mine.written & ~other.written) == 0)
        sorted.erase(sorted.begin() + static_cast<ptrdiff_t>(n));
    }
  }
  sorted.push_back(key);
}

// The order within a touch does not matter to whom it is merged with, but equal summaries have to be equal.
void StateSummaries::merge_scratch(Summary& summary) {
  merged_.clear();
  size_t a = 0, b = 0;
  while (a < summary.size() && b < scratch_.size()) {
    if (summary[a] <= scratch_[b]) {
      if (summary[a] == scratch_[b]) ++b;
      put(merged_, summary[a++]);
    } else {
      put(merged_, scratch_[b++]);
    }
  }
  for (; a < summary.size(); ++a) put(merged_, summary[a]);
  for (; b < scratch_.size(); ++b) put(merged_, scratch_[b]);
  summary.swap(merged_);
}

// `moved`: the step's thread and those that it enabled. What a step makes of an entry is not remembered: the sets of
// threads that steps enable multiply, and so did a table of steps and entries.
uint64_t StateSummaries::after_step(uint64_t at, const Step& step, ThreadMask moved) {
  Entry changed = entry(at);
  if ((changed.threads & moved) == 0 && (changed.written & step.written) == 0) return at;
  const ThreadMask threads = changed.threads | only(step.thread);
  if (threads == changed.threads && (step.written & ~changed.written) == 0) return at;
  changed.threads = threads;
  changed.written |= step.written;
  return key(changed);
}

void StateSummaries::prepend(const Step& step, const Summary& later, ThreadMask woken, Summary& before) {
  const ThreadMask moved = only(step.thread) | (step.wakes ? woken : 0);
  own_.clear();
  for (const uint64_t touch : step.touches)
    if (cells_.shared(cell_of(touch))) own_.push_back(own(step, touch));
  std::sort(own_.begin(), own_.end());
  scratch_.clear();
  size_t mine = 0;
  for (size_t n = 0; n < later.size();) {
    const uint64_t touch = later[n] >> 32;
    for (; mine < own_.size() && own_[mine] >> 32 < touch; ++mine) put(scratch_, own_[mine]);
    const bool repeated = mine < own_.size() && own_[mine] >> 32 == touch;  // nothing waits for less than the step
    const size_t from = scratch_.size();
    for (; n < later.size() && later[n] >> 32 == touch; ++n)
      if (!repeated) put(scratch_, after_step(later[n], step, moved));
    if (scratch_.size() > from + 1) std::sort(scratch_.begin() + static_cast<ptrdiff_t>(from), scratch_.end());
  }
  for (; mine < own_.size(); ++mine) put(scratch_, own_[mine]);
  if (before.empty())
    before.swap(scratch_);
  else
    merge_scratch(before);
}

void StateSummaries::add(const Step& step, Summary& before) {
  scratch_.clear();
  for (const uint64_t touch : step.touches)
    if (cells_.shared(cell_of(touch))) scratch_.push_back(own(step, touch));
  std::sort(scratch_.begin(), scratch_.end());
  merge_scratch(before);
}

void StateSummaries::forget_order(Summary& summary) {
  scratch_.clear();
  for (const uint64_t at : summary) {
    const auto touch = static_cast<uint32_t>(at >> 32);
    put(scratch_, own_keys_[touch]);
  }
  summary.swap(scratch_);
}

uint32_t StateSummaries::store(const Summary& summary) {
  if ((stored_.size() + 1) * 2 > slots_.size()) {
    slots_.assign(std::max<size_t>(1024, slots_.size() * 2), 0);
    for (uint32_t n = 0; n < stored_.size(); ++n) {
      size_t at = stored_[n].hash;
      while (slots_[at & (slots_.size() - 1)] != 0) ++at;
      slots_[at & (slots_.size() - 1)] = n + 1;
    }
  }
  uint64_t hash = summary.size();
  for (const uint64_t at : summary) hash = Hash::mix(hash, static_cast<uint32_t>(at));
  hash ^= hash >> 32;
  const auto equal = [&](const Stored& stored) {
    if (stored.hash != hash || stored.size != summary.size()) return false;
    for (size_t n = 0; n < summary.size(); ++n)
      if (entries_of_summaries_[stored.begin + n] != static_cast<uint32_t>(summary[n])) return false;
    return true;
  };
  for (size_t at = hash;; ++at) {
    uint32_t& slot = slots_[at & (slots_.size() - 1)];
    if (slot != 0 && !equal(stored_[slot - 1])) continue;
    if (slot == 0) {
      stored_.push_back({hash, entries_of_summaries_.size(), static_cast<uint32_t>(summary.size())});
      for (const uint64_t key : summary) entries_of_summaries_.push_back(static_cast<uint32_t>(key));
      slot = static_cast<uint32_t>(stored_.size());
    }
    return slot - 1;
  }
}

void StateSummaries::load(uint32_t number, Summary& summary) const {
  const Stored& stored = stored_[number];
  summary.resize(stored.size);
  for (uint32_t n = 0; n < stored.size; ++n) {
    const uint32_t at = entries_of_summaries_[stored.begin + n];
    summary[n] = uint64_t{entries_.values()[at].touch} << 32 | at;
  }
}

}  // namespace heddle::explore
