// State summaries: which accesses of which threads can follow a state of a search, and the enablers of each access.
//
// In:      steps from the last to the first: what each touches, and the summary after it.
// Out:     the summary before the step; the accesses of other threads that conflict with the step and do not wait for
//          it.
// Cost:    for each entry of a summary and step a comparison or a look into a table. Cells that a single thread
//          touches, or that no thread writes, cost nothing but their first look-up.
// Owns:    its tables; equal summaries are kept once. SharedCells belong to the caller and must outlive it.
// Threads: one at a time.
// Fails:   never; full() says that it has taken its share of memory.
// From:    Flanagan, Godefroid 2005 (backtrack sets); Yang, Chen, Gopalakrishnan, Kirby 2008 (state summaries). Why it
//          holds, races included: `docs/PROOFS.md`.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "server/explore/dependence.h"
#include "server/explore/interned.h"

namespace heddle::explore {

// Bit per thread; threads from 64 on have none, and no summary is kept in a program that has them.
using ThreadMask = uint64_t;
constexpr ThreadMask only(uint32_t thread) { return ThreadMask{1} << thread; }

// Which cells more than one thread has touched, one of them writing. Known for good, whatever path it was met on.
// A cell is 32 bytes of memory, a synchronisation object, all of those in one block, a thread, the process.
class SharedCells {
 public:
  enum class Kind : uint8_t { Memory, Synchronisation, Thread, Process, Section, Block };
  // The cell's number; notes that the thread touches it. `n`: which of the object's.
  uint32_t note(uint32_t thread, Kind kind, uint32_t object, uint32_t n, bool write);
  bool shared(uint32_t cell) const { return cells_[cell].shared; }
  // Threads whose touches may be missing in summaries that were noted before the cell was shared.
  ThreadMask left_out(uint32_t cell) const { return cells_[cell].left_out; }
  // A search begins: nothing was left out of its summaries yet.
  void begin();

 private:
  struct Cell {
    ThreadMask threads = 0, left_out = 0;
    bool written = false, shared = false;
  };
  Interned<uint64_t> numbers_;
  std::vector<Cell> cells_;
};

class StateSummaries {
 public:
  explicit StateSummaries(SharedCells& cells) : cells_(cells) {}

  // Sorted: a touch << 32 | an entry.
  using Summary = std::vector<uint64_t>;

  // What a thread touches in one step: the plain accesses since its last operation, and the operation.
  struct Step {
    uint32_t thread = 0;
    std::vector<uint64_t> touches;  // see Touch
    uint64_t written = 0;           // synchronisation objects, by the operation: a bit for each of the first 64
    // No thread that it wakes could have continued without it, or without another operation that conflicts with it.
    bool wakes = false;
    void clear(uint32_t of) {
      thread = of;
      touches.clear();
      written = 0;
      wakes = false;
    }
  };
  static constexpr uint32_t cell_of(uint64_t touch) { return static_cast<uint32_t>(touch >> 10); }
  void add_operation(Step& step, const Footprint& touched);
  void add_access(Step& step, uint32_t object, uint32_t offset, uint64_t size, bool write);

  // Later touches of other threads that do not commute with the step and do not wait for it. Calls visit(thread, mask)
  // with the enablers of the touch among `enabled`: one of them has to be tried in the step's place.
  template <typename Visit>
  void conflicts(const Step& step, const Summary& later, ThreadMask woken, ThreadMask enabled, Visit&& visit) const;

  // Adds to `before` the summary after the step, and the step. `woken`: threads that it enabled.
  void prepend(const Step& step, const Summary& later, ThreadMask woken, Summary& before);
  // For the last step of a path, or one that the thread was about to do and never did.
  void add(const Step& step, Summary& before);
  // For states on a cycle: every access may come without any other.
  void forget_order(Summary& summary);

  uint32_t store(const Summary& summary);
  void load(uint32_t number, Summary& summary) const;
  bool full() const { return entries_of_summaries_.size() + kWordsOfEntry * entries_.size() > kWordsMax; }

 private:
  static constexpr uint64_t kWordsMax = 16'000'000;  // 64 MB
  static constexpr uint64_t kWordsOfEntry = 8;       // with its slots

  // A thread's touch of a cell: cell << 10 | thread << 4 | flags << 2 | mode. In steps without the thread.
  static constexpr uint64_t kWaits = 4, kReleases = 8;
  static constexpr uint32_t thread_of(uint64_t touch) { return touch >> 4 & 63; }
  static bool independent(uint64_t a, uint64_t b) {
    if (commute(static_cast<TouchMode>(a & 3), static_cast<TouchMode>(b & 3))) return true;
    // A touch that waits for what the other gives back cannot come before it.
    return ((a & kReleases) && (b & kWaits)) || ((a & kWaits) && (b & kReleases));
  }

  struct Entry {
    uint32_t touch = 0;
    ThreadMask threads = 0;  // whose steps come before it, its own among them
    uint64_t written = 0;    // by operations among them
    bool operator==(const Entry&) const = default;
  };
  struct Hash {
    static uint64_t mix(uint64_t a, uint64_t b) { return (a ^ b) * 0x9e3779b97f4a7c15ull ^ a >> 29; }
    uint64_t operator()(const Entry& e) const { return mix(mix(e.touch + 1, e.threads), e.written); }
  };
  struct Stored {
    uint64_t hash = 0, begin = 0;  // begin: in entries_of_summaries_
    uint32_t size = 0;
  };

  uint64_t key(const Entry& entry) { return uint64_t{entry.touch} << 32 | entries_.number(entry); }
  const Entry& entry(uint64_t key) const { return entries_.values()[static_cast<uint32_t>(key)]; }
  void touch(Step& step, const TouchedRange& range);
  void touch_memory(Step& step, uint32_t object, uint32_t begin, uint64_t end, uint64_t how);
  uint64_t own(const Step& step, uint64_t touch);
  uint64_t after_step(uint64_t at, const Step& step, ThreadMask moved);
  // Of the entries of one touch, those with the fewest enablers stay.
  void put(Summary& sorted, uint64_t key) const;
  void merge_scratch(Summary& summary);

  SharedCells& cells_;
  Interned<uint64_t> operated_;  // cells whose bit Step::written has
  Interned<uint64_t> touches_;
  std::vector<std::vector<uint32_t>> touches_of_cell_;
  std::vector<uint64_t> own_keys_;  // of each touch: the entry that waits for its own thread only
  Interned<Entry, Hash> entries_;
  std::vector<Stored> stored_;
  std::vector<uint32_t> entries_of_summaries_, slots_;  // slots_: open addressing over stored_, plus 1
  Summary scratch_, merged_, own_;
};

template <typename Visit>
void StateSummaries::conflicts(const Step& step, const Summary& later, ThreadMask woken, ThreadMask enabled,
                               Visit&& visit) const {
  const ThreadMask after = only(step.thread) | (step.wakes ? woken : 0);
  for (const uint64_t what : step.touches) {
    const uint32_t cell = cell_of(what);
    if (!cells_.shared(cell)) continue;
    if (cell < touches_of_cell_.size()) {
      for (const uint32_t number : touches_of_cell_[cell]) {
        const uint64_t other = touches_.values()[number];
        if (thread_of(other) == step.thread || independent(what, other)) continue;
        auto at = std::lower_bound(later.begin(), later.end(), uint64_t{number} << 32);
        for (; at != later.end() && *at >> 32 == number; ++at) {
          const Entry& found = entry(*at);
          if ((found.threads & after) == 0 && (found.written & step.written) == 0)
            visit(thread_of(other), found.threads & enabled);
        }
      }
    }
    for (ThreadMask left = cells_.left_out(cell) & ~only(step.thread); left != 0; left &= left - 1) {
      const uint32_t thread = static_cast<uint32_t>(std::countr_zero(left));
      visit(thread, only(thread) & enabled);
    }
  }
}

}  // namespace heddle::explore
