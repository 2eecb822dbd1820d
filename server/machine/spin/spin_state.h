// What spin detection keeps of a thread. It is part of the thread, and rewinds with it.
//
// In:      what SpinDetection notes.
// Out:     is it known yet whether the thread waits; the steps of its round.
// Owns:    values; the newest step of a round lies in the machine's arena.
// Threads: the thread that uses the machine.
// Fails:   never.
#pragma once

#include <cstdint>

#include "server/machine/types.h"

namespace heddle::machine {

inline constexpr uint32_t kWatchMost = 5, kRecentMost = 8, kSameReadsMost = 8, kSameReadsStoring = 100;
struct Watch {  // a location a spinning thread has read, and what it read there
  uint64_t address = 0;
  uint64_t value = 0;
  uint32_t size = 0;
  uint32_t kind = 0;  // one of these
};
// A synchronisation object's version; any event of another thread; its own cancellation.
inline constexpr uint32_t kMemoryWatch = 0, kSynchronisationWatch = 1, kAnyEventWatch = 2, kCancellationWatch = 3;

// With Options::exact_spins: a thread as it stood after an atomic load: see retry.cc.
struct LoadedAt {
  uint32_t pc, fp, top, depth, stack_objects;
  uint8_t* stack_memory;
  uint64_t stores;
  uint64_t words[];  // of its stack, as many as top
};

// With Options::exact_spins: a pending operation of a thread since it changed something last, or what one of them did.
struct RoundStep {
  uint64_t place;   // operation, slots and locks; 0: an operation that was performed
  uint64_t memory;  // as this thread's stores left it; of an operation that was performed: the locks held then
  Watch read;       // of an operation that was performed
  bool takes;       // it took a lock, or gave it back
  bool sleeps;
  const RoundStep* before;
  const LoadedAt* loaded = nullptr;  // of an atomic load
  bool tried = false;                // a compare-exchange that failed
  MemoryOrder order = MemoryOrder::Relaxed;
  const RoundStep* newest_tried = nullptr;  // of this step and those before

  // Of the steps after `skip` and up to this one, so that a walk back need not look at each of them: see rounds.cc.
  struct Section {
    const RoundStep* skip = nullptr;
    uint64_t places[4] = {};  // a Bloom filter
    int64_t least_held = INT64_MAX;
    bool takes = false, performed = false;
  };
  uint32_t number = 1;  // from the oldest
  Section section{};

  bool section_may_have(uint64_t of_place) const {
    return (section.places[of_place >> 62] >> (of_place >> 56 & 63) & 1) != 0;
  }
};

class SpinState {
 public:
  bool undecided() const { return undecided_; }      // whether it waits is to be found out
  const RoundStep* round() const { return round_; }  // the newest step since it changed something; null: none
  void forget_round() { round_ = nullptr; }

 private:
  friend class SpinDetection;

  bool undecided_, by_clock_;  // see deadline.cc: as above; its time is up next
  uint64_t anchor_calls_, anchor_hash_, anchor_stores_, anchor_balance_;
  uint64_t balance_;         // of locks taken and given back
  int32_t held_, held_low_;  // locks held; least since the anchor
  uint32_t anchor_pc_, anchor_depth_, anchor_left_, anchor_power_, anchor_passed_;
  // Rounds with stores: the last pending operations with their slots; memory as this thread's stores left it.
  uint64_t recent_[kRecentMost];
  uint64_t written_, anchor_written_;
  bool anchor_hashed_;  // the anchor compares what was written, not how often
  bool reads_only_;     // the round in which it spins takes no lock
  uint32_t recent_next_;
  const RoundStep* round_;                       // the newest, in the arena
  uint32_t unsuspected_, patience_;              // operations for which no round is looked for, after one that was none
  uint64_t paused_at_;                           // where a round of pauses began
  uint32_t same_reads_;                          // reads or failed tries of one location by one statement in a row
  uint32_t rounds_, rounds_since_, pauses_;      // iterations while the others had done rounds_since_ operations
  uint64_t stores_at_pause_, written_at_pause_;  // at the last pause, or when the last operation began
  // Loops that end by the clock: see deadline.cc.
  uint64_t until_;                        // when its time is up
  uint64_t looks_at_;                     // where it looked at the clock first
  uint32_t reads_before_, anchor_reads_;  // Thread::clock_reads at the last operation, at the anchor
  uint32_t looks_, looks_since_;          // there again, while the others had done this number of operations
  uint32_t times_, times_since_;          // its time was up, the same
  uint32_t tries_, tries_since_;          // in vain and in a row, the same
  uint32_t hopeless_since_;               // it will try for ever: see alone.cc; the same and one, 0: not known
  uint32_t watches_;
  uint32_t spin_pc_;  // the first shared read of an invisible loop
  Watch watch_[kWatchMost];
};

}  // namespace heddle::machine
