#include "server/explore/history.h"

#include <algorithm>
#include <cstring>

namespace heddle::explore {

using machine::Operation;
using machine::OperationKind;

void History::clear() {
  while (!events_.empty()) pop();
}

template <typename Visit>
void History::for_granules(const TouchedRange& range, Visit&& visit) {
  const uint64_t space = uint64_t{static_cast<uint8_t>(range.space)} << 29;
  for (uint32_t granule = range.begin >> 3; granule <= (range.end - 1) >> 3; ++granule) {
    const uint32_t begin = std::max(range.begin, granule << 3), end = std::min(range.end, (granule << 3) + 8);
    visit(uint64_t{range.object} << 32 | space | granule, begin, end);
  }
}

void History::rehash() {
  std::vector<Slot> old = std::move(slots_);
  slots_.assign(std::max<size_t>(64, old.size() * 2), Slot{});
  slots_used_ = 0;
  for (const Slot& slot : old) {
    if (slot.cell != kNone) granule(slot.key) = slot.cell;
  }
}

uint32_t& History::granule(uint64_t key) {
  if ((slots_used_ + 1) * 2 > slots_.size()) rehash();
  const size_t mask = slots_.size() - 1;
  size_t at = (key ^ key >> 32) * 0x9e3779b97f4a7c15ull >> 20 & mask;
  while (slots_[at].key != key) {
    if (slots_[at].key == ~uint64_t{0}) {
      slots_[at].key = key;
      ++slots_used_;
      break;
    }
    at = (at + 1) & mask;
  }
  return slots_[at].cell;
}

uint32_t History::cell_for(uint64_t key, uint32_t begin, uint32_t end) {
  uint32_t& first = granule(key);
  for (uint32_t cell = first; cell != kNone; cell = cells_[cell].next) {
    if (cells_[cell].begin == begin && cells_[cell].end == end) return cell;
  }
  const uint32_t cell = static_cast<uint32_t>(cells_.size());
  cells_.push_back({begin, end, kNone, first});
  first = cell;
  return cell;
}

void History::grow_stride(uint32_t threads) {
  const uint32_t stride = (threads + 7) & ~7u;
  std::vector<uint32_t> clocks(uint64_t{stride} * events_.size());
  for (size_t n = 0; n < events_.size(); ++n) {
    std::copy_n(clocks_.data() + n * stride_, stride_, clocks.data() + n * stride);
  }
  clocks_ = std::move(clocks);
  stride_ = stride;
  last_event_.resize(stride, kNone);
  event_counts_.resize(stride, 0);
  scratch_clock_.resize(stride, 0);
  first_in_v_.resize(stride, 0);
}

void History::join(uint32_t* clock, uint32_t event) const {
  const uint32_t* other = this->clock(event);
  for (uint32_t n = 0; n < stride_; ++n) clock[n] = std::max(clock[n], other[n]);
}

uint32_t* History::thread_clock(uint32_t thread) {
  if (thread >= stride_) grow_stride(thread + 1);
  if (last_event_[thread] == kNone) {
    std::fill(scratch_clock_.begin(), scratch_clock_.end(), 0);
  } else {
    std::copy_n(clock(last_event_[thread]), stride_, scratch_clock_.data());
  }
  return scratch_clock_.data();
}

void History::collect(uint32_t cell, const TouchedRange& range, const uint32_t* clock) {
  uint32_t at = cells_[cell].head;
  if (at != kNone && commute(touches_[at].mode, range.mode)) at = touches_[at].skip;
  while (at != kNone) {
    const Touch& touch = touches_[at];
    if (commute(touch.mode, range.mode)) {
      at = touch.skip;
      continue;
    }
    const Event& event = events_[touch.event];
    const bool known = clock[event.thread] >= event.number;
    // Nothing happens concurrently with an open section: what is in conflict with its inside races with its beginning.
    const bool enclosed = touch.inside && range.section != machine::AtomicSection::None;
    const Releases releases = enclosed ? Releases::Certainly : range.waits ? touch.releases : Releases::Nothing;
    if (!known) conflicts_.push_back({touch.event, releases});
    // A write is ordered after everything before it on this cell: what lies after it matters only if the write let
    // the operation happen, since then the race is with something older.
    if (touch.mode == TouchMode::Write && (known || releases == Releases::Nothing)) return;
    at = touch.previous;
  }
}

std::span<const History::Conflict> History::conflicts(const Operation& operation, const Footprint& touched) {
  const uint32_t* clock = thread_clock(operation.thread.value);
  conflicts_.clear();
  for (uint32_t n = 0; n < touched.count; ++n) {
    for_granules(touched.ranges[n], [&](uint64_t key, uint32_t begin, uint32_t end) {
      for (uint32_t cell = granule(key); cell != kNone; cell = cells_[cell].next) {
        if (cells_[cell].begin < end && begin < cells_[cell].end) collect(cell, touched.ranges[n], clock);
      }
    });
  }
  if (conflicts_.size() > 1) {
    std::sort(conflicts_.begin(), conflicts_.end(), [](const Conflict& a, const Conflict& b) {
      return a.event != b.event ? a.event > b.event : a.releases > b.releases;
    });
    const auto same = [](const Conflict& a, const Conflict& b) { return a.event == b.event; };
    conflicts_.erase(std::unique(conflicts_.begin(), conflicts_.end(), same), conflicts_.end());
  }
  return conflicts_;
}

void History::push(const Operation& operation, const Footprint& touched, std::span<const Conflict> conflicting,
                   bool ordering) {
  const uint32_t thread = operation.thread.value;
  uint32_t created = kNone, joined = kNone;
  if (operation.kind == OperationKind::Create) created = static_cast<uint32_t>(operation.object.bits);
  if (operation.kind == OperationKind::Join) joined = static_cast<uint32_t>(operation.object.bits);
  // Make room for all threads first: it moves the clocks.
  uint32_t threads = thread + 1;
  if (created != kNone && created < kThreadsMax) threads = std::max(threads, created + 1);
  if (threads > stride_) grow_stride(threads);

  uint32_t* clock = thread_clock(thread);
  for (const Conflict& conflict : conflicting) {
    if (!includes(clock, conflict.event)) join(clock, conflict.event);
  }
  if (joined < stride_ && last_event_[joined] != kNone) join(clock, last_event_[joined]);
  if (operation.kind == OperationKind::Join && operation.object.bits == machine::kAllOthers)
    for (uint32_t other = 0; other < stride_; ++other)
      if (other != thread && last_event_[other] != kNone) join(clock, last_event_[other]);

  const uint32_t number = size();
  Event event;
  event.thread = thread;
  event.number = ++event_counts_[thread];
  event.previous = last_event_[thread];
  event.first_touch = static_cast<uint32_t>(touches_.size());
  clock[thread] = event.number;
  last_event_[thread] = number;
  if (created < stride_ && last_event_[created] == kNone) {
    event.created = created;
    last_event_[created] = number;
  }
  events_.push_back(event);
  const uint64_t clocks_end = uint64_t{number + 1} * stride_;
  if (clocks_.size() < clocks_end) clocks_.resize(std::max<uint64_t>(clocks_end, clocks_.size() * 2));
  std::copy_n(clock, stride_, clocks_.data() + uint64_t{number} * stride_);

  if (!ordering) return;
  for (uint32_t n = 0; n < touched.count; ++n) {
    const TouchMode mode = touched.ranges[n].mode;
    for_granules(touched.ranges[n], [&](uint64_t key, uint32_t begin, uint32_t end) {
      const uint32_t cell = cell_for(key, begin, end);
      const uint32_t head = cells_[cell].head;
      const uint32_t skip = head != kNone && commute(touches_[head].mode, mode) ? touches_[head].skip : head;
      cells_[cell].head = static_cast<uint32_t>(touches_.size());
      touches_.push_back({cell, number, head, skip, mode, touched.ranges[n].releases,
                          touched.ranges[n].section == machine::AtomicSection::Inside});
    });
  }
}

void History::pop() {
  const Event& event = events_.back();
  while (touches_.size() > event.first_touch) {
    cells_[touches_.back().cell].head = touches_.back().previous;
    touches_.pop_back();
  }
  if (event.created != kNone) last_event_[event.created] = kNone;
  last_event_[event.thread] = event.previous;
  --event_counts_[event.thread];
  events_.pop_back();
}

ThreadSet History::initials(uint32_t event, uint32_t thread, const uint32_t* clock) {
  ThreadSet result, seen;
  const uint32_t racing_thread = events_[event].thread, racing_number = events_[event].number;
  // `first_in_v_`: number of the first event of each seen thread. An event is initial if it is the first of its
  // thread and follows none of the others' first events.
  const auto is_initial = [&](uint32_t candidate, const uint32_t* of) {
    bool initial = true;
    for_each(seen, [&](uint32_t other) { initial &= other == candidate || of[other] < first_in_v_[other]; });
    return initial;
  };
  for (uint32_t n = event + 1; n < size(); ++n) {
    const uint32_t at = events_[n].thread;
    if (seen.has(at)) continue;
    const uint32_t* of = this->clock(n);
    if (of[racing_thread] >= racing_number) continue;
    if (is_initial(at, of)) result.add(at);
    seen.add(at);
    first_in_v_[at] = events_[n].number;
  }
  if (!seen.has(thread) && is_initial(thread, clock)) result.add(thread);
  return result;
}

}  // namespace heddle::explore
