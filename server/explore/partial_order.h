// Dynamic partial order reduction with wakeup trees (or source sets) and sleep sets, over anything that runs like the
// machine.
//
// In:      a System (machine::Machine, or a small model in the tests) in its first state; a Client.
// Out:     every execution up to equivalence is performed; the Client sees each step and each end of a path.
// Cost:    per step: a few vector operations, and the dependent events since the thread last met the same cells. Wakeup
//          trees: per race of a new step, once, the later steps of the path that its threads do not know.
// Owns:    its stack of choices and its history.
// Threads: the thread that uses the System.
// Fails:   never; the Client may stop the search after any step, and resume() returns nothing for bytes that do not
//          fit.
// From:    Abdulla, Aronsson, Jonsson, Sagonas 2014, Algorithms 1 and 2. Differs: operations that block and that have
//          alternatives; at the end of a path only the races of its new steps are considered; paths cut by a fault or
//          by the end of the process; operations that are no scheduling points.
//
// System:  thread_count(), status(t), pending(t), enabled(t), perform(t, alternative), outcome(), mark(), rewind(m),
//          fingerprint(with_clocks).
// Client:  bool relevant(const Operation&): is it a scheduling point
//          bool stepped(ThreadId): after each step; false stops the search
//          void ended(PathEnd): at the end of each path that was not cut as redundant
//          void beyond(Beyond): the path ends because of kThreadsMax or kStepsMax
//          bool cycle_closed(), if there is one: the path has come back to a state and is cut
//          bool save_due(), void save(bytes), if there are any: between two paths, to continue from there another time
//          bool slice_over(), if there is one: between two paths; true ends the search there, unfinished
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/detect/finding.h"
#include "server/explore/cycle_check.h"
#include "server/explore/explore.h"
#include "server/explore/history.h"
#include "server/explore/saved_search.h"
#include "server/explore/search_path.h"
#include "server/explore/thread_choice.h"
#include "server/explore/wakeup_tree.h"

namespace heddle::explore {

// At the end of a path each race is looked at with all steps after it. Source sets look at each race where it arises.
inline constexpr uint32_t kWakeupStepsMax = 2'000;

template <typename System, typename Client>
class PartialOrderSearch {
 public:
  PartialOrderSearch(System& system, Client& client, const Reductions& reductions, Statistics& statistics)
      : system_(system), client_(client), reductions_(reductions), statistics_(statistics) {}

  static constexpr uint64_t kExecutionsMin = 100;

  // Unfinished: after more than states_max states and as many executions, or paths that came to no end (README.md).
  SearchEnd run(uint64_t states_max = ~uint64_t{0}, uint64_t executions_min = kExecutionsMin) {
    begun_ = statistics_;
    return advance(states_max, executions_min, open(ThreadSet{}, 0));
  }
  // Continues where another search stood when it was saved. Nothing: the bytes are of another program.
  std::optional<SearchEnd> resume(const std::string& saved, uint64_t states_max) {
    if (!restore(Reader(saved))) return std::nullopt;
    return advance(states_max, kExecutionsMin, true);
  }
  // Where the search stands; empty: its path is too long. When it has ended: what its races add to choices before its
  // own.
  std::string position() const { return nodes_.size() <= kSavedMax ? save() : std::string(); }
  // Continues an unfinished search, if nothing else has used the System since.
  SearchEnd continue_to(uint64_t states_max) { return advance(states_max, kExecutionsMin, true); }

 private:
  SearchEnd advance(uint64_t states_max, uint64_t executions_min, bool on) {
    while (true) {
      while (on) on = step() && open(next_sleep_, next_streak_);
      if (stopped_) return SearchEnd::Stopped;
      if (too_long_) return SearchEnd::TooLong;
      if (!backtrack()) {
        ended_ = true;
        return SearchEnd::Complete;
      }
      const bool many = statistics_.states - begun_.states > states_max;
      if (many && statistics_.executions - begun_.executions + cut_ > executions_min) return SearchEnd::Unfinished;
      if constexpr (requires { client_.save_due(); })
        if (nodes_.size() <= kSavedMax && client_.save_due()) client_.save(save());
      if constexpr (requires { client_.slice_over(); })
        if (nodes_.size() <= kSavedMax && client_.slice_over()) return SearchEnd::Sliced;
      on = true;
    }
  }

 public:
  // The choices that led to the current state.
  detect::Schedule schedule() const {
    detect::Schedule result;
    for (uint32_t n = 0; n < history_.size(); ++n)
      result.push_back({machine::ThreadId(nodes_[n].current), nodes_[n].alternative});
    return result;
  }

 private:
  using ThreadId = machine::ThreadId;
  using Operation = machine::Operation;

  struct Node : SavedNode {
    decltype(std::declval<System>().mark()) mark;
    WakeupTrees::List wakeup = WakeupTrees::kEmpty;  // what has to be tried from here
    uint32_t first_sleeper = 0;                      // into sleepers_
  };

  static constexpr size_t kSavedMax = 20'000;  // steps: longer paths are not saved

  const Operation& pending(uint32_t thread) { return system_.pending(ThreadId(thread)); }

  void begin_alternatives(Node& node) {
    const Operation& operation = pending(node.current);
    node.alternatives = operation.alternatives;
    node.outcomes = outcomes_of(operation);
    node.alternative = following(node.outcomes, 0);
  }

  bool open(const ThreadSet& sleep, uint32_t streak) {
    const WakeupTrees::List wakeup = std::exchange(next_wakeup_, WakeupTrees::kEmpty);
    if (choose(sleep, streak, wakeup)) return true;
    trees_.clear(wakeup);
    return false;
  }

  bool choose(const ThreadSet& sleep, uint32_t streak, WakeupTrees::List wakeup) {
    ++statistics_.states;
    const uint32_t threads = system_.thread_count();
    if (!within_limits(client_, threads, nodes_.size())) {
      all_races();  // what is wrong on the way may have an early cause
      ++cut_;
      return false;
    }
    if (by_wakeup() && nodes_.size() >= kWakeupStepsMax) {
      too_long_ = true;
      return false;
    }
    Node node;
    for (uint32_t thread = 0; thread < threads; ++thread)
      if (system_.enabled(ThreadId(thread))) node.enabled.add(thread);
    if (node.enabled.empty()) {
      blocked_races();
      end(PathEnd::Stuck);
      return false;
    }
    node.sleep = sleep;
    node.streak = streak;
    const ThreadSet candidates = node.enabled - sleep;
    if (candidates.empty()) {
      blocked_races();
      ++statistics_.redundant;
      return false;
    }
    cycle_ = cycle_check_.returned(system_, static_cast<uint32_t>(nodes_.size()));
    const ThreadSet others = cycle_ ? left_out_of_cycle(candidates) : ThreadSet{};
    if (others.empty() && cycle_) {
      if constexpr (requires { client_.cycle_closed(); }) client_.cycle_closed();
      all_races();
      ++cut_;
      ++statistics_.redundant;
      return false;
    }
    node.current = cycle_ ? others.first() : forced_choice(system_, client_, candidates, streak);
    node.forced = !cycle_ && node.current != kThreadsMax;
    if (cycle_) node.forced = !client_.relevant(pending(node.current));
    if (!node.forced && !cycle_) {
      while (wakeup != WakeupTrees::kEmpty && !candidates.has(trees_.first_thread(wakeup)))
        trees_.remove(wakeup, trees_.first_thread(wakeup));
      const bool prescribed = wakeup != WakeupTrees::kEmpty;
      node.current =
          prescribed ? trees_.first_thread(wakeup) : first_choice(system_, client_, candidates, streak, running());
    }
    node.wakeup = wakeup;
    node.first_sleeper = static_cast<uint32_t>(sleepers_.size());
    if (by_wakeup() && own_ == 0)
      for_each(sleep, [&](uint32_t thread) { sleepers_.push_back({thread, footprint(pending(thread))}); });
    node.backtrack.add(node.current);
    if (!node.forced && !reductions_.dynamic_partial_order) node.backtrack = node.enabled;
    begin_alternatives(node);
    if (node.enabled.count() > 1 || node.alternatives > 1) node.mark = system_.mark();
    nodes_.push_back(node);
    return true;
  }

  // Threads that the cycle has left out get their turn: what else can follow was seen from the first visit on.
  ThreadSet left_out_of_cycle(ThreadSet candidates) const {
    for (uint32_t n = cycle_check_.begin(); n < nodes_.size(); ++n) candidates.remove(nodes_[n].current);
    return candidates;
  }

  uint32_t running() const { return nodes_.empty() ? kThreadsMax : nodes_.back().current; }

  // A path of choices, each with what was tried and what is left; the newest one's is about to be made.
  std::string save() const;
  // The path is performed again; what follows from its races is in the nodes already. False: it is not one of this
  // program.
  bool restore(Reader in);
  bool restore_node(const SavedNode& saved, bool returns);

  // Perform the newest node's current choice. False if the path ends there.
  bool step() {
    Node& node = nodes_.back();
    const ThreadId thread(node.current);
    const Operation operation = system_.pending(thread);
    const Footprint touched = footprint(operation);
    if (machine::makes_request(operation) && !restoring_) requested_races();
    if (by_wakeup()) performed_.push_back({touched, static_cast<uint32_t>(races_.size())});
    if (node.forced) {
      history_.push(operation, {}, {}, false);
      next_streak_ = node.streak + 1;
      next_wakeup_ = std::exchange(node.wakeup, WakeupTrees::kEmpty);
    } else {
      const auto conflicts = history_.conflicts(operation, touched);
      if (reductions_.dynamic_partial_order) {
        if (by_wakeup()) {
          reversible(operation, conflicts, [&](uint32_t event) { races_.push_back(event); });
        } else if (node.alternative == following(node.outcomes, 0) && !restoring_) {
          races(operation, conflicts);
        }
      }
      history_.push(operation, touched, conflicts);
      next_streak_ = 0;
      next_wakeup_ = trees_.take_below(node.wakeup, node.current, node.alternative);
    }
    next_sleep_ = {};
    if (reductions_.sleep_sets) {
      ThreadSet asleep = node.sleep | node.done;
      asleep.remove(node.current);
      if (!asleep.empty()) {
        for_each(asleep, [&](uint32_t other) {
          if (!dependent(touched, footprint(pending(other)))) next_sleep_.add(other);
        });
      }
    }
    const machine::Outcome outcome = system_.perform(thread, node.alternative);
    ++statistics_.events;
    if (!client_.stepped(thread)) {
      stopped_ = true;
      return false;
    }
    if (outcome == machine::Outcome::Running) {
      if constexpr (requires { system_.failed(); })
        if (system_.failed() && !restoring_) cut_short();
      return true;
    }
    trees_.clear(std::exchange(next_wakeup_, WakeupTrees::kEmpty));
    last_ = history_.size() - 1;
    cut_short();
    last_ = kNone;
    end(outcome == machine::Outcome::Finished ? PathEnd::Finished : PathEnd::Faulted);
    return false;
  }

  void end(PathEnd how) {
    ++statistics_.executions;
    client_.ended(how);
  }

  // Visits the earlier events that are in a reversible race with the pending operation.
  template <typename Visit>
  void reversible(const Operation& operation, std::span<const History::Conflict> conflicts, Visit&& visit) {
    if (conflicts.empty()) return;
    const uint32_t* clock = history_.thread_clock(operation.thread.value);
    ordered_.assign(clock, clock + history_.stride());
    for (const auto& conflict : conflicts) {
      if (history_.includes(ordered_.data(), conflict.event)) continue;
      if (conflict.releases == Releases::Certainly) continue;
      visit(conflict.event);
      if (conflict.releases == Releases::Nothing) history_.join(ordered_.data(), conflict.event);
    }
  }

  // Source sets: some thread that begins a reordering has to be explored where the earlier event was chosen.
  void races(const Operation& operation, std::span<const History::Conflict> conflicts) {
    if (conflicts.empty()) return;
    const uint32_t thread = operation.thread.value;
    const uint32_t* clock = history_.thread_clock(thread);
    reached_.assign(clock, clock + history_.stride());
    for (const auto& conflict : conflicts) history_.join(reached_.data(), conflict.event);
    reversible(operation, conflicts, [&](uint32_t event) {
      Node& node = nodes_[event];
      if ((node.enabled - node.backtrack).empty()) return;
      const ThreadSet first = history_.initials(event, thread, reached_.data()), initials = first & node.enabled;
      if (initials.intersects(node.backtrack)) return;
      if (!initials.empty()) return node.backtrack.add(initials.has(thread) ? thread : initials.first());
      ThreadSet others = first;
      others.remove(thread);                                                // waits for the earlier event itself
      if (!others.empty()) node.backtrack = node.backtrack | node.enabled;  // for a forced step, as in reverse()
    });
  }

  // Wakeup trees: what happened after the earlier event without being ordered after it, and then the later operation,
  // has to be tried in place of the earlier event, unless what was tried there began executions that contain it.
  void reverse(uint32_t event, const WakeupStep& last) {
    Node& node = nodes_[event];
    const uint32_t thread = history_.event(event).thread, number = history_.event(event).number;
    wakeup_sequence_.clear();
    ThreadSet unaware = history_.active_after(event);
    unaware.remove(thread);
    for (uint32_t n = event + 1; n < history_.size() && !unaware.empty(); ++n) {
      if (history_.clock(n)[thread] >= number) {
        unaware.remove(history_.event(n).thread);  // and all that it does later
      } else if (!nodes_[n].forced && n != last_) {
        wakeup_sequence_.push_back(step_of(n));
      }
    }
    if (wakeup_sequence_.empty() && !node.enabled.has(last.thread)) return;
    wakeup_sequence_.push_back(last);
    // Forced steps leave no trace in the order: what comes first may wait for any one of them.
    if (!node.enabled.has(wakeup_sequence_.front().thread)) {
      node.backtrack = node.backtrack | node.enabled;
      return;
    }
    const uint32_t end = event + 1 < nodes_.size() ? nodes_[event + 1].first_sleeper : sleeper_count();
    for (uint32_t n = node.first_sleeper; n < end; ++n)
      if (WakeupTrees::weakly_first(sleepers_[n].thread, sleepers_[n].touched, wakeup_sequence_) != WakeupTrees::kNever)
        return;
    if (own_ > 0 && begins_with_one_of(node.sleep, wakeup_sequence_)) return;
    trees_.insert(node.wakeup, wakeup_sequence_);
  }

  WakeupStep step_of(uint32_t event) const {
    const History::Event& done = history_.event(event);
    return {done.thread, nodes_[event].alternative, done.created, performed_[event].touched};
  }
  uint32_t sleeper_count() const { return static_cast<uint32_t>(sleepers_.size()); }

  void reverse_races() {
    for (uint32_t n = fresh_; n < history_.size(); ++n) {
      WakeupStep last = step_of(n);
      last.alternative = WakeupStep::kAny;
      const size_t end = n + 1 < performed_.size() ? performed_[n + 1].first_race : races_.size();
      for (size_t race = performed_[n].first_race; race < end; ++race) reverse(races_[race], last);
    }
  }

  // Operations that never happen on this path because it ends with their threads blocked might have come earlier.
  void blocked_races() { pending_races(false); }
  // The same for a path that is cut although threads are enabled.
  void all_races() { pending_races(true); }

  void pending_races(bool enabled_too) {
    if (!reductions_.dynamic_partial_order) return;
    if (by_wakeup()) reverse_races();
    races_of_pending(enabled_too);
  }

  // A request is about to be made. What a thread waits to do now, it does after the request only, or never: that it might
  // have come before what it waits for does not show later.
  void requested_races() {
    if (reductions_.dynamic_partial_order) races_of_pending(false);
  }

  void races_of_pending(bool enabled_too) {
    const uint32_t threads = std::min(system_.thread_count(), kThreadsMax);
    for (uint32_t thread = 0; thread < threads; ++thread) {
      if (system_.status(ThreadId(thread)) == machine::ThreadStatus::Ended) continue;
      if (!enabled_too && system_.enabled(ThreadId(thread))) continue;
      const Operation operation = system_.pending(ThreadId(thread));
      const Footprint touched = footprint(operation);
      const auto conflicts = history_.conflicts(operation, touched);
      if (by_wakeup()) {
        found_.clear();
        reversible(operation, conflicts, [&](uint32_t event) { found_.push_back(event); });
        for (const uint32_t event : found_) reverse(event, {.thread = thread, .touched = touched});
      } else {
        races(operation, conflicts);
      }
    }
  }

  // The last step ended the process although other threads were enabled: one of them is tried first. The others follow
  // from the races on the way.
  void cut_short() {
    blocked_races();
    Node& node = nodes_.back();
    ThreadSet others = node.enabled - node.sleep - node.done;
    others.remove(node.current);
    bool chosen = others.intersects(node.backtrack);
    for_each(others, [&](uint32_t thread) { chosen |= trees_.begins_with(node.wakeup, thread); });
    if (reductions_.dynamic_partial_order && !others.empty() && !chosen) {
      node.backtrack.add(others.first());
    }
    if (node.forced) node.backtrack = node.backtrack | others;
  }

  // Go back to the newest choice that has something left. False if there is none.
  bool backtrack() {
    while (!nodes_.empty()) {
      Node& node = nodes_.back();
      const Footprint touched = by_wakeup() ? performed_[nodes_.size() - 1].touched : Footprint{};
      forget();
      if (const uint32_t next = following(node.outcomes, node.alternative + 1); next < node.alternatives) {
        node.alternative = next;
        system_.rewind(node.mark);
        return true;
      }
      if (nodes_.size() <= own_) return false;  // other threads are tried here by other parts
      node.done.add(node.current);
      if (by_wakeup()) sleepers_.push_back({node.current, touched});
      trees_.remove(node.wakeup, node.current);
      ThreadSet left = node.backtrack - node.done;
      if (reductions_.sleep_sets) left = left - node.sleep;
      while (node.wakeup != WakeupTrees::kEmpty && !left.has(trees_.first_thread(node.wakeup))) {
        const uint32_t thread = trees_.first_thread(node.wakeup);
        if (node.enabled.has(thread) && !node.done.has(thread) && !node.sleep.has(thread))
          left.add(thread);
        else
          trees_.remove(node.wakeup, thread);
      }
      if (!left.empty()) {
        system_.rewind(node.mark);
        node.current = node.wakeup != WakeupTrees::kEmpty ? trees_.first_thread(node.wakeup) : left.first();
        begin_alternatives(node);
        node.forced = !client_.relevant(pending(node.current));
        return true;
      }
      trees_.clear(node.wakeup);
      sleepers_.resize(node.first_sleeper);
      nodes_.pop_back();
    }
    return false;
  }

  // The newest node's step and what came after it was taken back.
  void forget() {
    while (history_.size() >= nodes_.size()) history_.pop();
    fresh_ = history_.size();
    if (!by_wakeup()) return;
    if (performed_.size() > history_.size()) races_.resize(performed_[history_.size()].first_race);
    performed_.resize(history_.size());
  }

  // Without sleep sets nothing is known of what was tried before.
  bool by_wakeup() const {
    return reductions_.dynamic_partial_order && reductions_.sleep_sets && reductions_.wakeup_trees;
  }

  struct Sleeper {
    uint32_t thread = 0;
    Footprint touched;
  };
  struct Performed {
    Footprint touched;
    uint32_t first_race = 0;  // into races_
  };

  System& system_;
  Client& client_;
  const Reductions& reductions_;
  Statistics& statistics_;
  std::vector<Node> nodes_;
  History history_;
  ThreadSet next_sleep_;
  uint32_t next_streak_ = 0;
  std::vector<uint32_t> ordered_, reached_;
  // Wakeup trees only:
  WakeupTrees trees_;
  WakeupTrees::List next_wakeup_ = WakeupTrees::kEmpty;
  // Of each node the threads that are done or sleep. In a part of a search those that only sleep are left out: they
  // make a sequence needless that does without them only if what follows them was explored before.
  std::vector<Sleeper> sleepers_;
  std::vector<Performed> performed_;  // parallel to the history
  std::vector<uint32_t> races_;       // of each event those before it that it races with
  std::vector<uint32_t> found_;
  std::vector<WakeupStep> wakeup_sequence_;
  size_t own_ = 0;      // choices from here on are this search's; those before are shared with other parts
  uint32_t fresh_ = 0;  // events from here on are new on this path
  static constexpr uint32_t kNone = ~0u;
  uint32_t last_ = kNone;  // the event that ended the path: nothing can follow it elsewhere either
  CycleCheck cycle_check_;
  Statistics begun_;        // the search's beginning
  bool restoring_ = false;  // the path is that of another search
  bool cycle_ = false;      // the newest node's state is that of the checkpoint
  bool stopped_ = false, too_long_ = false, ended_ = false;
  uint64_t cut_ = 0;  // paths that came back to a state, or were too long
};

}  // namespace heddle::explore

#include "server/explore/partial_order_saved.h"
