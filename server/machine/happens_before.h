// Vector clocks: what is ordered before what, and how late it is at least.
//
// In:      the operations of threads: what they release and acquire.
// Out:     clocks by number; whether an epoch is ordered before what a thread does next. 0 is the empty clock, which
//          never changes.
// Cost:    a join reads an entry per thread, and saves the clock once per mark if it changes.
// Owns:    the table of the clocks; their memory is the path's (Undo).
// Threads: the thread that uses the machine.
// Fails:   never.
// From:    FastTrack (epochs).
#pragma once

#include <cstdint>

#include "server/machine/memory/undo.h"
#include "server/machine/thread.h"

namespace heddle::machine {

class Clocks {
 public:
  class Position {  // what a mark keeps
    friend class Clocks;
    uint8_t* clocks = nullptr;
    uint32_t count = 0, capacity = 0;
    uint32_t stride = 0;   // entries per clock
    uint32_t threads = 0;  // entries in use
  };

  // `with_times`: the program reads its clock, so times are passed on.
  Clocks(Undo& undo, bool with_times);
  Clocks(const Clocks&) = delete;
  Clocks& operator=(const Clocks&) = delete;

  uint32_t make();
  void add_thread(uint32_t id);  // its entries exist from now on
  Clock& at(uint32_t id) { return *reinterpret_cast<Clock*>(now_.clocks + id * bytes()); }
  const Clock& at(uint32_t id) const { return const_cast<Clocks*>(this)->at(id); }
  void touch(Clock& c) { undo_.touch(c, bytes()); }  // before it changes
  void join(uint32_t into, uint32_t from);
  void copy(uint32_t into, uint32_t from);
  uint64_t hash(uint32_t id, uint64_t key) const;

  void acquire(Thread& t, uint32_t clock) {
    if (clock != 0) join(t.clock, clock);
  }
  void release(Thread& t, uint32_t& clock);  // clock of an object already saved; joins
  bool ordered(uint32_t epoch, const Thread& t) const { return at(t.clock).at[epoch >> 24] >= (epoch & 0xffffff); }
  uint32_t now(const Thread& t) const { return epoch_of(t.id, t.events + 1); }
  void next_event(Thread& t) {
    ++t.events;
    Clock& c = at(t.clock);
    touch(c);
    c.at[t.id] = t.events + 1;
  }

  uint64_t time(const Thread& t) const { return at(t.clock).time; }
  void reach_time(Thread& t, uint64_t time) {  // it is that late at least
    Clock& c = at(t.clock);
    if (c.time >= time || time_stands_still_) return;
    touch(c);
    c.time = time;
  }
  void stop_time(bool stop) { time_stands_still_ = stop; }  // the clocks of threads no longer advance by themselves

  const Position& position() const { return now_; }
  void rewind(const Position& to) { now_ = to; }

 private:
  uint64_t bytes() const { return sizeof(Clock) + uint64_t{now_.stride} * 4; }
  void grow(uint32_t count, uint32_t threads);

  Undo& undo_;
  const bool with_times_;
  bool time_stands_still_ = false;
  Position now_;
};

}  // namespace heddle::machine
