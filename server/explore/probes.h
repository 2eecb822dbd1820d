// Executions in advance: pairs of dependent operations in the other order, the most suspicious pairs first, and random
// schedules. They find errors early and prove nothing. Internal to the folder.
//
// In:      a System and a Client as in partial_order.h, the System in its first state; a number of states.
// Out:     each probe is one execution. Every other one is drawn at random, by turns in one of three ways: a thread at
//          each step; priorities of the threads, so that one is held up for long; and, where signals wake threads, each
//          thread as far as it gets, those woken last come last, and a signal wakes a thread that waits in the function
//          that signals. Such a thread often cannot use it, so the signal is lost. The other probes perform what has to
//          come before the later operation of a pair, then that operation, and then every thread as far as it gets.
//          The Client sees steps and ends. Pairs that a probe meets are tried by later probes; each pair of places at
//          most twice in each order. Equal programs have equal probes.
// Cost:    a probe begins at the first state, so it costs a path. run() continues where the last call stopped.
// Owns:    its candidates and its history.
// Threads: the thread that uses the System.
// Fails:   never; run() returns false when the Client stopped it. A path of more than kProbeStepsMax steps is left.
// From:    Chen 2009, chapter 6; Flanagan, Godefroid 2005 (races of a path); Burckhardt et al. 2010 (priorities).
//          Differs: pairs are those that an execution met; the static analysis proposes none.
#pragma once

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "server/explore/access_pairs.h"
#include "server/explore/partial_order.h"
#include "server/explore/splitmix.h"

namespace heddle::explore {

inline constexpr uint32_t kProbeStepsMax = 3'000;

template <typename System, typename Client>
class Probes {
 public:
  using Mark = decltype(std::declval<System>().mark());
  // `start`: the first state. The statistics count probes apart from other executions and states.
  Probes(System& system, Client& client, const Mark& start, Statistics& statistics)
      : system_(system), client_(client), start_(start), statistics_(statistics) {}

  // Probes by pairs and at random in turns, until as many more states are visited or executions made.
  bool run(uint64_t states_max, uint64_t executions_max = ~uint64_t{0}) {
    const uint64_t states_end = statistics_.probe_states + states_max, before = statistics_.probes;
    while (statistics_.probe_states < states_end && statistics_.probes - before < executions_max) {
      if (!probe({}, true)) return false;
      if (candidates_.empty()) continue;
      const detect::Schedule begin = candidates_.begin()->second;
      candidates_.erase(candidates_.begin());
      if (!probe(begin, false)) return false;
    }
    return true;
  }

  detect::Schedule schedule() const {
    detect::Schedule result;
    for (const Step& step : path_) result.push_back(step.choice);
    return result;
  }

 private:
  using ThreadId = machine::ThreadId;
  using Operation = machine::Operation;

  struct Step {
    detect::Choice choice;
    Operation operation;
    bool nested = false;          // a lock taken while the thread held another
    uint32_t section = kOutside;  // in a critical section: the step that took the outermost lock
  };
  // Places of the earlier and the later operation, and the alternative of the later.
  using Key = std::tuple<uint64_t, uint64_t, uint32_t>;
  static constexpr uint32_t kOutside = ~0u;
  static constexpr uint8_t kTriesMax = 2;
  static constexpr uint64_t kHigh = uint64_t{1} << 63;  // priorities are higher at first, and lower later
  static constexpr size_t kChanges = 3;                 // of priorities in an execution, about

  enum class Draw : uint8_t { Priorities, AnyThread, LateWakes };  // how a probe is drawn at random
  // Where signals wake threads, every other one is for them.
  Draw next_draw() {
    if (woke_ && draw_ != Draw::LateWakes) return Draw::LateWakes;
    by_priority_ = !by_priority_;
    return by_priority_ ? Draw::Priorities : Draw::AnyThread;
  }

  // One execution that begins with these choices, as far as they are possible. False: the client stopped.
  bool probe(const detect::Schedule& begin, bool at_random) {
    system_.rewind(start_);
    path_.clear();
    races_.clear();
    held_.assign(kThreadsMax, 0);
    section_.assign(kThreadsMax, kOutside);
    history_.clear();
    woken_ = late_ = {};
    ++statistics_.probes;
    if (at_random) {
      draw_ = next_draw();
      priority_.assign(kThreadsMax, 0);
      lowest_ = kHigh;
    }
    size_t followed = 0;
    while (true) {
      ++statistics_.probe_states;
      if (system_.thread_count() > kThreadsMax || path_.size() >= kProbeStepsMax) break;
      ThreadSet enabled;
      for (uint32_t thread = 0; thread < system_.thread_count(); ++thread)
        if (system_.enabled(ThreadId(thread))) enabled.add(thread);
      if (enabled.empty()) {
        note_pending_races();
        client_.ended(PathEnd::Stuck);
        break;
      }
      const bool follows = followed < begin.size() && enabled.has(begin[followed].thread.value) &&
                           begin[followed].alternative < system_.pending(begin[followed].thread).alternatives;
      const detect::Choice choice = follows     ? begin[followed++]
                                    : at_random ? random_choice(enabled)
                                                : default_choice(enabled);
      if (!follows) followed = begin.size();
      const machine::Outcome outcome = perform(choice);
      if (stopped_) return false;
      if (outcome == machine::Outcome::Running) continue;
      note_pending_races();
      client_.ended(outcome == machine::Outcome::Finished ? PathEnd::Finished : PathEnd::Faulted);
      break;
    }
    length_ = path_.size();
    add_candidates();
    return true;
  }

  // Stay with the running thread, and leave the end of the process to the end.
  detect::Choice default_choice(const ThreadSet& enabled) {
    const auto exits = [&](uint32_t thread) {
      return system_.pending(ThreadId(thread)).kind == machine::OperationKind::ProcessExit;
    };
    uint32_t chosen = kThreadsMax;
    if (!path_.empty() && enabled.has(path_.back().choice.thread.value)) chosen = path_.back().choice.thread.value;
    if (chosen == kThreadsMax || exits(chosen))
      for_each(enabled, [&](uint32_t thread) {
        if (chosen == kThreadsMax || exits(chosen)) chosen = thread;
      });
    return {ThreadId(chosen), following(outcomes_of(system_.pending(ThreadId(chosen))), 0)};
  }

  uint32_t any_of(const ThreadSet& enabled) {
    uint64_t skip = next_random(random_) % enabled.count();
    uint32_t chosen = kThreadsMax;
    for_each(enabled, [&](uint32_t thread) {
      if (skip-- == 0) chosen = thread;
    });
    return chosen;
  }

  // The thread with the highest priority, which then may get the lowest.
  uint32_t first_by_priority(const ThreadSet& enabled) {
    uint32_t chosen = kThreadsMax;
    for_each(enabled, [&](uint32_t thread) {
      if (priority_[thread] == 0) priority_[thread] = next_random(random_) | kHigh;
      if (chosen == kThreadsMax || priority_[thread] > priority_[chosen]) chosen = thread;
    });
    if (next_random(random_) % std::max<size_t>(1, length_ / kChanges) == 0) priority_[chosen] = --lowest_;
    return chosen;
  }

  // The running thread; else any, those woken last only where no other one can run.
  uint32_t first_of_late_wakes(const ThreadSet& enabled) {
    if (!path_.empty() && enabled.has(path_.back().choice.thread.value)) return path_.back().choice.thread.value;
    const ThreadSet others = enabled - late_;
    return any_of(others.empty() ? enabled : others);
  }

  // Those that wait for the signal, in the order of its alternatives.
  void find_waiters(const Operation& signal) {
    waiters_.clear();
    for (uint32_t thread = 0; thread < system_.thread_count() && thread < kThreadsMax; ++thread) {
      if (woken_.has(thread) || system_.status(ThreadId(thread)) == machine::ThreadStatus::Ended) continue;
      const Operation& waits = system_.pending(ThreadId(thread));
      if (waits.kind != machine::OperationKind::Wake || waits.object != signal.object) continue;
      waiters_.push_back({thread, waits.at.function == signal.at.function});
    }
  }

  void note_wakes(const Operation& operation, uint32_t alternative) {
    if (operation.kind == machine::OperationKind::Wake) woken_.remove(operation.thread.value);
    const bool all = operation.kind == machine::OperationKind::Broadcast;
    if (!all && operation.kind != machine::OperationKind::Signal) return;
    find_waiters(operation);
    if (waiters_.empty()) return;
    woke_ = true;
    late_ = {};
    for (size_t n = 0; n < waiters_.size(); ++n)
      if (all || n == alternative) late_.add(waiters_[n].thread);
    woken_ = woken_ | late_;
  }

  // Of a signal, an outcome that wakes a thread like the one that signals, if there is one.
  uint32_t wanted_alternative(const Operation& operation) {
    const uint64_t drawn = next_random(random_);
    if (draw_ == Draw::LateWakes && operation.kind == machine::OperationKind::Signal) {
      find_waiters(operation);
      const auto alike = [](const Waiter& waiter) { return waiter.alike; };
      const auto found = std::find_if(waiters_.begin(), waiters_.end(), alike);
      if (found != waiters_.end()) return static_cast<uint32_t>(found - waiters_.begin());
    }
    return static_cast<uint32_t>(drawn % std::max(1u, operation.alternatives));
  }

  detect::Choice random_choice(const ThreadSet& enabled) {
    const uint32_t chosen = draw_ == Draw::Priorities  ? first_by_priority(enabled)
                            : draw_ == Draw::LateWakes ? first_of_late_wakes(enabled)
                                                       : any_of(enabled);
    const Operation operation = system_.pending(ThreadId(chosen));
    const uint64_t outcomes = outcomes_of(operation);
    const uint32_t alternative = following(outcomes, wanted_alternative(operation));
    return {ThreadId(chosen), alternative < operation.alternatives ? alternative : following(outcomes, 0)};
  }

  machine::Outcome perform(const detect::Choice& choice) {
    const Operation operation = system_.pending(choice.thread);
    Step step{choice, operation};
    step.section = section_[choice.thread.value];
    if (client_.relevant(operation)) {
      const Footprint touched = footprint(operation);
      const auto conflicts = history_.conflicts(operation, touched);
      note_races(operation, conflicts);
      history_.push(operation, touched, conflicts);
      step.nested = note_lock(operation);
    } else {
      history_.push(operation, {}, {}, false);
    }
    note_wakes(operation, choice.alternative);
    path_.push_back(step);
    const machine::Outcome outcome = system_.perform(choice.thread, choice.alternative);
    stopped_ = !client_.stepped(choice.thread);
    return outcome;
  }

  // Counts the locks of the thread; true if it held one already.
  bool note_lock(const Operation& operation) {
    uint32_t& held = held_[operation.thread.value];
    if (machine::waits_for_lock(operation.kind)) {
      if (held == 0) section_[operation.thread.value] = static_cast<uint32_t>(path_.size());
      return held++ > 0;
    }
    if (machine::gives_lock(operation.kind)) {
      held -= held > 0;
      if (held == 0) section_[operation.thread.value] = kOutside;
    }
    return false;
  }

  struct Race {
    uint32_t earlier = 0;
    uint32_t later = 0;  // an event, or the length of the path: the operation never happened
    Operation operation;
  };

  void note_races(const Operation& operation, std::span<const History::Conflict> conflicts) {
    if (conflicts.empty()) return;
    const uint32_t* clock = history_.thread_clock(operation.thread.value);
    ordered_.assign(clock, clock + history_.stride());
    for (const History::Conflict& conflict : conflicts) {
      if (history_.includes(ordered_.data(), conflict.event) || conflict.releases == Releases::Certainly) continue;
      races_.push_back({conflict.event, history_.size(), operation});
      if (conflict.releases == Releases::Nothing) history_.join(ordered_.data(), conflict.event);
    }
  }

  // Operations that never happened might have come earlier.
  void note_pending_races() {
    for (uint32_t thread = 0; thread < system_.thread_count(); ++thread) {
      if (system_.status(ThreadId(thread)) == machine::ThreadStatus::Ended) continue;
      const Operation operation = system_.pending(ThreadId(thread));
      if (operation.thread.value != thread) continue;  // it failed, and will do nothing more
      note_races(operation, history_.conflicts(operation, footprint(operation)));
    }
  }

  // By step: whether it begins a critical section that waits or signals.
  std::vector<bool> signalling_sections() const {
    std::vector<bool> result(path_.size() + 1, false);
    for (const Step& step : path_)
      if (step.section != kOutside && waits_or_signals(step.operation)) result[step.section] = true;
    return result;
  }

  void add_candidates() {
    const std::vector<bool> signalling = signalling_sections();
    for (const Race& race : races_) {
      const Step& earlier = path_[race.earlier];
      const bool nested = earlier.nested || held_[race.operation.thread.value] > 0;
      const Key key{earlier.operation.at.bits(), race.operation.at.bits(), 0};
      if (!may_try(key)) continue;
      const bool signals = signalling[race.earlier] && signalling[race.later];
      const PairRank rank = rank_of(earlier.operation, race.operation, nested, signals);
      // A signal comes before a wait only if it comes before the critical section that waits.
      const bool before_section = rank == PairRank::WaitAndSignal && earlier.section != kOutside;
      add(rank, reversed({before_section ? earlier.section : race.earlier, race.later, race.operation}));
    }
    for (size_t n = 0; n < path_.size(); ++n) {
      const Operation& operation = path_[n].operation;
      if (operation.alternatives < 2) continue;
      const uint64_t outcomes = outcomes_of(operation);
      for (uint32_t other = following(outcomes, 0); other < operation.alternatives;
           other = following(outcomes, other + 1)) {
        if (other == path_[n].choice.alternative) continue;
        if (!may_try({operation.at.bits(), operation.at.bits(), other + 1})) continue;
        detect::Schedule begin = prefix(n);
        begin.push_back({path_[n].choice.thread, other});
        add(PairRank::Alternatives, std::move(begin));
      }
    }
  }

  bool may_try(const Key& key) { return ++tries_[key] <= kTriesMax; }
  void add(PairRank rank, detect::Schedule begin) {
    candidates_.emplace(std::pair{static_cast<uint8_t>(rank), number_++}, std::move(begin));
  }

  detect::Schedule prefix(size_t length) const {
    detect::Schedule result;
    for (size_t n = 0; n < length; ++n) result.push_back(path_[n].choice);
    return result;
  }

  // What was before the earlier operation, then what must come before the later one, then that.
  detect::Schedule reversed(const Race& race) {
    const uint32_t thread = race.operation.thread.value;
    detect::Schedule begin = prefix(race.earlier);
    const History::Event& earlier = history_.event(race.earlier);
    const bool happened = race.later < history_.size();
    const uint32_t* last = happened ? history_.clock(race.later) : history_.thread_clock(thread);
    needed_.assign(last, last + history_.stride());
    for (uint32_t n = race.earlier + 1; n < std::min(race.later, history_.size()); ++n) {
      const bool after_earlier = history_.clock(n)[earlier.thread] >= earlier.number;
      if (!after_earlier && history_.includes(needed_.data(), n)) begin.push_back(path_[n].choice);
    }
    begin.push_back({race.operation.thread, happened ? path_[race.later].choice.alternative : 0});
    return begin;
  }

  System& system_;
  Client& client_;
  const Mark start_;
  Statistics& statistics_;
  History history_;
  std::vector<Step> path_;
  std::vector<Race> races_;
  std::vector<uint32_t> held_, section_;  // by thread: locks, and the step that took the first of them
  std::vector<uint32_t> ordered_, needed_;
  std::map<std::pair<uint8_t, uint64_t>, detect::Schedule> candidates_;  // by rank, then first come, first served
  std::map<Key, uint32_t> tries_;
  uint64_t number_ = 0;
  uint64_t random_ = 1;  // a seed: every search draws the same
  // Of random probes.
  Draw draw_ = Draw::AnyThread;
  bool by_priority_ = true;
  std::vector<uint64_t> priority_;  // by thread; 0: none yet
  uint64_t lowest_ = kHigh;         // was given last
  size_t length_ = 0;               // of the execution before
  // Of signals and broadcasts.
  struct Waiter {
    uint32_t thread;
    bool alike;  // it waits in the function that signals
  };
  std::vector<Waiter> waiters_;
  ThreadSet woken_, late_;  // woken and not yet awake; those of the last one that woke any
  bool woke_ = false;       // in some probe a thread was woken
  bool stopped_ = false;
};

}  // namespace heddle::explore
