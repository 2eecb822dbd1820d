// Finds threads that spin: loops that change nothing wait for what they read, and loops that pause give way.
//
// In:      the operations of each thread, what it reads and how long it runs, as its steps are performed.
// Out:     Thread::spinning and gives_way, with what the thread waits for; the bounds that were used on some path.
// Owns:    what it notes within a step. What belongs to a thread is part of it, and rewinds with it.
// Threads: the thread that uses the machine.
// Fails:   an endless loop is a fault of the guest.
// From:    Brent 1980 (cycle detection); Musuvathi and Qadeer 2008 (fairness).
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "server/machine/root.h"
#include "server/machine/thread.h"

namespace heddle::machine {

class SpinDetection {
 public:
  // Bounds that were used on some path, for good: see Machine's functions with these names.
  struct Bounds {
    bool pauses_bounded = false, sleeps_for_ever = false, runs_long = false;
  };

  SpinDetection(Machine::State& state, Root& root, GuestMemory& memory) : state_(state), root_(root), memory_(memory) {}

  // --- a thread ---
  static void begin_thread(Thread& t) { t.spin.anchor_power_ = 1; }  // it was zeroed
  uint64_t hash(const Thread& t, uint64_t hash) const;               // with what decides about its loops
  bool waits_for_store(const Thread& t) const;                       // any store to what it watches lets it continue
  static std::vector<Pointer> watched_by(const Thread& t);           // addresses; empty: it does not spin

  // --- a step ---
  void begin_step() { step_hash_ = memory_.hash(); }
  // An operation of the thread begins. `again`: the one before it was the same read or try.
  void begin_operation(Thread& t, bool again) {
    if (t.gives_way) t.spin.watches_ = 0;
    t.spinning = t.gives_way = t.pause_hint = t.paused = false;
    t.spin.stores_at_pause_ = t.stores;
    t.spin.reads_before_ = t.clock_reads;
    t.spin.undecided_ = false;
    if (HEDDLE_UNLIKELY(t.spin.by_clock_)) end_by_time(t);
    t.spin.same_reads_ = again ? std::min(t.spin.same_reads_ + 1, kSameReadsStoring) : 0;
  }
  // The thread continues. `read`: the location that it has just read, or tried in vain to change; 0: neither.
  void begin_run(Thread& t, uint64_t read) {
    if (read == 0) t.spin.same_reads_ = 0;
    just_read_ = read;
    rereads_ = 0;
  }
  void end_step(Thread& t) {
    t.spin.written_ = written(t);
    step_hash_ = memory_.hash();
    just_read_ = 0;
  }
  void forget_step() {  // it was taken back
    step_hash_ = memory_.hash();
    just_read_ = 0;
  }

  // --- invisible work, in slices: it is looked at after each ---
  void begin_slices(const Thread& t) {
    slices_ = 0;
    run_start_ = root_.path_instructions;
    slice_stores_ = t.stores;
    slice_reads_ = t.clock_reads;
  }
  int64_t slice_instructions() const { return kSlice << std::min<uint32_t>(slices_, 10); }
  bool invisible_loop(Thread& t);  // a slice is used up; true: the thread stops here
  void next_slice() { ++slices_; }
  bool takes_pending_access() { return std::exchange(pass_access_, false); }  // at pc, as if it were not visible

  // --- reads of a loop ---
  bool records_reads() const { return recording_reads_; }
  bool record_reads(bool on) { return std::exchange(recording_reads_, on); }  // returns what was before
  void note_read(Thread& t, uint64_t pointer, uint64_t size, uint32_t pc);

  // --- visible operations ---
  void note_visible(Thread& t, bool failed, const Operation& op);  // after it
  void look_for_spin(Thread& t);                                   // at a pending one
  bool pass_pause(Thread& t);  // at a pending one; true: the thread performs it at once and continues (pauses.cc)
  void give_way(Thread& t);
  void decide(Thread& t);  // between two steps: does an undecided thread wait? (deadline.cc)
  bool waits(Thread& t) {  // so it is not enabled
    return t.spinning && still_spinning(t) && (!t.gives_way || gives_way(t));
  }
  bool only_sleeps(const Thread& t) const;

  const Bounds& bounds() const { return bounds_; }
  void bound_pauses() { bounds_.pauses_bounded = true; }

  // --- rounds with Options::exact_spins: is memory compared? For good ---
  bool compares_memory() const { return compare_memory_; }
  bool compares_memory_next() const { return compare_memory_next_ && !compare_memory_; }
  void want_memory() { compare_memory_next_ = true; }  // without it, rounds were not decided
  void compare_memory() { compare_memory_ = compare_memory_next_; }

 private:
  static constexpr int64_t kSlice = 20'000;
  static constexpr uint32_t kTimesAlone = 100;  // that its time is up while no other thread can run
  static constexpr uint64_t kLongest = uint64_t{400} * 24 * 3600 * 1'000'000'000;  // nanoseconds a loop may wait

  // (spin.cc)
  void suspect_round(Thread& t, uint32_t key, uint64_t hash);  // it did the same before, but stored in between
  bool may_wait(const Thread& t) const;
  static std::optional<Watch> watch_of(const Operation& op);  // what a round that performs it waits for
  void hash_from_here();                                      // within a step
  // Memory as far as this thread changed it since hashing began.
  uint64_t written(const Thread& t) const { return t.spin.written_ ^ memory_.hash() ^ step_hash_; }
  uint64_t calls_hash(const Thread& t) const;  // where the functions on the stack were called
  bool still_spinning(Thread& t);
  bool run_on(Thread& t);
  void pass_time(Thread& t);
  void wait_in_loop(Thread& t);
  uint64_t watched(uint64_t address, uint32_t size);
  uint64_t live_hash(Thread& t);
  void add_watch(Thread& t, uint64_t address, uint32_t size, uint32_t kind);
  // With Options::exact_spins (rounds.cc).
  void note_in_round(Thread& t, bool takes, const Operation& op);
  void look_for_round(Thread& t);
  void wait_for_round(Thread& t, const RoundStep* begin, bool reads_only);
  // (repetition.cc)
  uint64_t state_alone(Thread& t);
  Stop follow_edge(Thread& t);
  bool comes_back(Thread& t, Stop& stop);
  void go_round_for_ever(Thread& t);
  // (pauses.cc)
  bool stored_since_pause(Thread& t);
  bool reads_on(const Thread& t) const;
  bool tries_on(const Thread& t) const;
  void wait_for_others(Thread& t);
  void stand_back(Thread& t);
  void count_round(Thread& t);
  void sleep_for_ever(Thread& t);
  bool sleep_on(Thread& t);
  bool others_can_run(const Thread& t);
  bool gives_way(const Thread& t);
  bool read_again(Thread& t);
  // Loops that end by themselves (deadline.cc).
  void end_by_time(Thread& t);  // its operation comes because its time is up
  struct Course {               // of a thread that continues alone
    bool leaves = false;        // it gets out of the loop
    bool blocked = false;       // by something that another thread holds: nothing is known
    bool writes = false;        // to memory that others see
    uint32_t rounds = 0;
  };
  void take_back(Thread& t, uint64_t ticks, uint64_t instructions, const std::function<void()>& run);
  Course follow(Thread& t, uint64_t ticks, uint32_t rounds_most);
  Course go_round(Thread& t, uint64_t ticks, uint32_t rounds_most);
  static bool goes_far(OperationKind kind);
  uint64_t place_in_loop(const Thread& t) const;
  bool has_written(const Thread& t) const;
  uint64_t deadline_of(Thread& t);
  bool end_by_clock(Thread& t, bool alone);
  // Loops of a thread while no other can run (alone.cc).
  struct Solitude {
    bool tries = false;       // in vain, to take a lock
    bool comes_back = false;  // to the same state
    bool ends = false;        // it ends, or is blocked
  };
  Solitude follow_alone(Thread& t);
  Solitude run_alone(Thread& t);
  uint64_t state_of_round(Thread& t);
  bool tries_in_vain(const Thread& t) const;
  bool long_alone(const Thread& t) const;
  void stay_alone(Thread& t);
  static bool changes_objects(const Event& done);
  // Loops that count what they do not look at (counting.cc).
  struct Round {
    std::vector<Watch> reads;
    std::set<uint64_t> constants;  // what the code of the loop compares with
  };
  void add_constants(const Thread& t, std::set<uint64_t>& values) const;
  static void add_read(std::vector<Watch>& reads, const Watch& read);
  std::map<uint32_t, uint64_t> hashes_of_objects() const;
  std::vector<Watch> changed_by_round(Thread& t, Round& round);
  bool goes_round(Thread& t, Round* round);
  bool goes_round_with(Thread& t, const std::vector<Watch>& places, std::optional<uint64_t> value);
  void put(uint64_t address, uint64_t value, uint32_t size);
  bool only_counts(Thread& t);
  void count_try(Thread& t);
  void stop_spinning(Thread& t);
  bool watch_plain_reads(Thread& t);
  void count_look(Thread& t);

  Machine::State& state_;
  Root& root_;
  GuestMemory& memory_;
  Bounds bounds_;
  uint64_t step_hash_ = 0;                                        // memory_.hash() when the step began
  uint64_t just_read_ = 0, reread_hash_ = 0, reread_frames_ = 0;  // see begin_run
  uint32_t rereads_ = 0;                                          // times it was read again after a pause
  uint32_t slices_ = 0;                                           // of the running thread, so far
  uint64_t run_start_ = 0, slice_stores_ = 0;                     // of the same: its instructions when it began to run
  uint32_t slice_reads_ = 0;
  bool pass_access_ = false;
  bool recording_reads_ = false;
  std::vector<Watch>* round_reads_ = nullptr;  // where, if not among what the thread watches
  bool compare_memory_ = false, compare_memory_next_ = false;
  // Of the thread that deadline.cc follows, or followed last: what it watched, where it stood in the first round.
  bool following_ = false;
  std::vector<Watch> watched_;
  std::vector<uint64_t> round_places_;
};

}  // namespace heddle::machine
