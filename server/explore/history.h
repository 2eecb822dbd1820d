// The executed operations of the current path with their happens-before order under the dependence relation.
//
// In:      operations in the order in which they are performed; pop() takes back the newest.
// Out:     per event its vector clock; for a pending operation the earlier events it depends on; initials.
// Cost:    push and pop: linear in threads plus the dependent events since the thread last met the same cell. All
//          storage is flat and grows only with the longest path: no allocation per event.
// Owns:    its arrays.
// Threads: one at a time.
// Fails:   never.
// From:    Flanagan, Godefroid 2005 (clock vectors); Abdulla, Aronsson, Jonsson, Sagonas 2014 (races, initials).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "server/explore/dependence.h"
#include "server/explore/thread_set.h"

namespace heddle::explore {

class History {
 public:
  static constexpr uint32_t kNone = 0xffffffffu;

  struct Event {
    uint32_t thread = 0;
    uint32_t number = 0;        // among the thread's events, from 1
    uint32_t previous = kNone;  // what the thread's clock came from before: its previous event or its creation
    uint32_t created = kNone;   // Create: the new thread
    uint32_t first_touch = 0;   // into touches_
  };

  uint32_t size() const { return static_cast<uint32_t>(events_.size()); }
  const Event& event(uint32_t n) const { return events_[n]; }
  void clear();

  // An earlier event that a pending operation depends on, and whether the earlier one let it happen.
  struct Conflict {
    uint32_t event = 0;
    Releases releases = Releases::Nothing;
  };
  // Those of other threads that are not already ordered before the operation's thread, newest first, as far back as
  // a race with it can lie. Valid until the next call.
  std::span<const Conflict> conflicts(const machine::Operation& operation, const Footprint& touched);

  // Is the event ordered before everything its clock says? `clock` has stride() entries.
  bool includes(const uint32_t* clock, uint32_t event) const {
    return clock[events_[event].thread] >= events_[event].number;
  }
  // A copy of the clock of the thread before its next event. Valid until the next call.
  uint32_t* thread_clock(uint32_t thread);
  void join(uint32_t* clock, uint32_t event) const;
  // The threads that did something after the event.
  ThreadSet active_after(uint32_t event) const {
    ThreadSet result;
    for (uint32_t thread = 0; thread < stride_; ++thread)
      if (last_event_[thread] != kNone && last_event_[thread] > event && events_[last_event_[thread]].thread == thread)
        result.add(thread);
    return result;
  }
  const uint32_t* clock(uint32_t event) const { return clocks_.data() + uint64_t{event} * stride_; }
  uint32_t stride() const { return stride_; }

  // Append the operation; `conflicting` as conflicts() returned it for this operation in this state. With
  // `ordering` false the operation takes part in no order but its thread's (and creation and join).
  void push(const machine::Operation& operation, const Footprint& touched, std::span<const Conflict> conflicting,
            bool ordering = true);
  void pop();

  // Initials of v = the events after `event` that do not happen after it, followed by a next step of `thread` whose
  // clock (without its own step) is `clock`: the threads that can begin a reordering of v.
  ThreadSet initials(uint32_t event, uint32_t thread, const uint32_t* clock);

 private:
  struct Touch {
    uint32_t cell = 0;
    uint32_t event = 0;
    uint32_t previous = kNone;  // the touch of the same cell before
    uint32_t skip = kNone;      // the newest one before whose mode does not commute with this one's
    TouchMode mode = TouchMode::Write;
    Releases releases = Releases::Nothing;
    bool inside = false;  // an atomic section
  };
  struct Cell {  // a byte range of one granule of 8 bytes
    uint32_t begin = 0, end = 0;
    uint32_t head = kNone;  // newest touch
    uint32_t next = kNone;  // further cells of the granule
  };
  struct Slot {
    uint64_t key = ~uint64_t{0};
    uint32_t cell = kNone;
  };

  uint32_t& granule(uint64_t key);  // first cell of the granule
  uint32_t cell_for(uint64_t key, uint32_t begin, uint32_t end);
  void collect(uint32_t cell, const TouchedRange& range, const uint32_t* clock);
  void grow_stride(uint32_t threads);
  void rehash();
  template <typename Visit>
  static void for_granules(const TouchedRange& range, Visit&& visit);

  std::vector<Event> events_;
  std::vector<uint32_t> clocks_;  // stride_ per event
  std::vector<Touch> touches_;
  std::vector<Cell> cells_;
  std::vector<Slot> slots_;  // open addressing, a power of two
  uint32_t slots_used_ = 0;
  std::vector<uint32_t> last_event_;    // per thread: last event, or the event that created it
  std::vector<uint32_t> event_counts_;  // per thread
  std::vector<uint32_t> scratch_clock_, first_in_v_;
  std::vector<Conflict> conflicts_;
  uint32_t stride_ = 0;
};

}  // namespace heddle::explore
