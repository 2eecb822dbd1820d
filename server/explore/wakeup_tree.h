// Sequences of steps that have to be tried after a choice: each begins a set of executions that no other sequence
// begins.
//
// In:      sequences v, each with its first step possible where its tree stands; steps with what they touch.
// Out:     trees whose branches, taken from left to right, cover all sequences that were put in, none of them twice.
// Cost:    insert(): length of v times its depth in the tree. A step of a tree costs about 120 bytes while it waits.
// Owns:    the steps of all trees of one search.
// Threads: one at a time.
// Fails:   never.
// From:    Abdulla, Aronsson, Jonsson, Sagonas 2014, section 6. Differs: a step may have alternatives. All of a
//          thread's alternatives are tried where the thread is; the one that a sequence was found with is followed by
//          the sequence's rest.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "server/explore/dependence.h"
#include "server/explore/saved.h"
#include "server/explore/thread_set.h"

namespace heddle::explore {

struct WakeupStep {
  static constexpr uint32_t kAny = 0xffffffffu;
  uint32_t thread = 0;
  uint32_t alternative = kAny;
  uint32_t creates = kAny;  // a thread
  Footprint touched;
};

class WakeupTrees {
 public:
  using List = uint32_t;  // the branches of a tree, by the first of them
  static constexpr List kEmpty = 0;

  // Could the thread's next step, which touches this, come first in an execution that contains v? Then its place in v,
  // or v.size() if v does without it; otherwise kNever.
  static constexpr size_t kNever = ~size_t{0};
  static size_t weakly_first(uint32_t thread, const Footprint& touched, std::span<const WakeupStep> v) {
    for (size_t n = 0; n < v.size(); ++n) {
      if (v[n].creates == thread) return kNever;
      if (v[n].thread != thread) continue;
      for (size_t before = 0; before < n; ++before)
        if (dependent(v[before].touched, v[n].touched)) return kNever;
      return n;
    }
    if (ends_process(touched)) return kNever;  // nothing comes after it
    for (const WakeupStep& step : v)
      if (dependent(step.touched, touched)) return kNever;
    return v.size();
  }

  void insert(List& list, std::vector<WakeupStep> v) {
    for (List at = list; at != kEmpty; at = branches_[at].next) {
      const uint32_t thread = branches_[at].step.thread;
      const size_t place = weakly_first(thread, branches_[at].step.touched, v);
      if (place == kNever) continue;
      WakeupStep step = branches_[at].step;
      step.alternative = WakeupStep::kAny;
      if (place < v.size()) {
        step = v[place];
        v.erase(v.begin() + static_cast<ptrdiff_t>(place));
      }
      if (v.empty() || insert_below(at, step, v)) return;
      v.insert(v.begin(), step);
      break;
    }
    List chain = kEmpty;
    for (size_t n = v.size(); n-- > 0;) {
      const List fresh = take();
      branches_[fresh] = {v[n], kEmpty, chain};
      chain = fresh;
    }
    if (list == kEmpty) {
      list = chain;
    } else {
      List last = list;
      while (branches_[last].next != kEmpty) last = branches_[last].next;
      branches_[last].next = chain;
    }
  }

  uint32_t first_thread(List list) const { return branches_[list].step.thread; }
  bool begins_with(List list, uint32_t thread) const {
    for (; list != kEmpty; list = branches_[list].next)
      if (branches_[list].step.thread == thread) return true;
    return false;
  }
  // What follows the thread's step with this alternative; the tree gives it up.
  List take_below(List list, uint32_t thread, uint32_t alternative) {
    for (; list != kEmpty; list = branches_[list].next) {
      Branch& branch = branches_[list];
      if (branch.step.thread != thread || branch.step.alternative != alternative) continue;
      const List below = branch.below;
      branch.below = kEmpty;
      return below;
    }
    return kEmpty;
  }
  void remove(List& list, uint32_t thread) {
    List kept = kEmpty, last = kEmpty;
    for (List at = list; at != kEmpty;) {
      const List next = branches_[at].next;
      branches_[at].next = kEmpty;
      if (branches_[at].step.thread == thread) {
        clear(at);
      } else {
        (kept == kEmpty ? kept : branches_[last].next) = at;
        last = at;
      }
      at = next;
    }
    list = kept;
  }
  void clear(List list) {
    while (list != kEmpty) {
      const List next = branches_[list].next;
      clear(branches_[list].below);
      free_.push_back(list);
      list = next;
    }
  }

  // From the left to the right: visit(sequence), for each branch down to its last step.
  template <typename Visit>
  void for_each_sequence(List list, const Visit& visit) const {
    std::vector<WakeupStep> sequence;
    walk(list, sequence, visit);
  }

  void save(List list, Writer& out) const {
    for (; list != kEmpty; list = branches_[list].next) {
      out.value(true);
      out.value(branches_[list].step);
      save(branches_[list].below, out);
    }
    out.value(false);
  }
  List restore(Reader& in) {
    if (!in.value<bool>()) return kEmpty;
    const auto step = in.value<WakeupStep>();
    const List below = restore(in), next = restore(in), fresh = take();
    branches_[fresh] = {step, next, below};
    return fresh;
  }

 private:
  struct Branch {
    WakeupStep step;
    List next = kEmpty, below = kEmpty;
  };
  template <typename Visit>
  void walk(List list, std::vector<WakeupStep>& sequence, const Visit& visit) const {
    for (; list != kEmpty; list = branches_[list].next) {
      sequence.push_back(branches_[list].step);
      if (branches_[list].below == kEmpty)
        visit(std::as_const(sequence));
      else
        walk(branches_[list].below, sequence, visit);
      sequence.pop_back();
    }
  }
  // Inserts v below those of the branches from `at` on that begin with the step. False: none has its alternative.
  bool insert_below(List at, const WakeupStep& step, const std::vector<WakeupStep>& v) {
    bool found = false;
    for (; at != kEmpty; at = branches_[at].next) {
      const Branch& branch = branches_[at];
      if (branch.step.thread != step.thread) continue;
      if (branch.below == kEmpty) return true;  // followed by everything
      if (step.alternative != WakeupStep::kAny && branch.step.alternative != step.alternative) continue;
      found = true;
      List below = branch.below;
      insert(below, v);
      branches_[at].below = below;
    }
    return found;
  }
  List take() {
    if (free_.empty()) {
      branches_.emplace_back();
      return static_cast<List>(branches_.size() - 1);
    }
    const List result = free_.back();
    free_.pop_back();
    return result;
  }
  std::vector<Branch> branches_ = std::vector<Branch>(1);
  std::vector<List> free_;
};

// Could an execution that contains the sequence begin with one of the threads, by a step of the sequence?
inline bool begins_with_one_of(const ThreadSet& threads, std::span<const WakeupStep> sequence) {
  bool found = false;
  for_each(threads, [&](uint32_t thread) {
    found = found || WakeupTrees::weakly_first(thread, Footprint{}, sequence) < sequence.size();
  });
  return found;
}

}  // namespace heddle::explore
