// Every interleaving with at most a given number of preemptive switches.
//
// In:      a System in its first state; a Client; how many preemptive switches a path may have.
// Out:     the Client sees each step and each end of a path. Covered: each interleaving with so few was met, or one
//          that leads to the same states. Everything: no switch was left out for their number.
// Cost:    8 to 16 bytes a state; a step, and the hash of the state after it. Without a bound all states; with a bound
//          of k a number that grows with the k-th power of the length of a path, at most.
// Owns:    its stack of choices and the set of states. SharedCells belong to the caller and must outlive it.
// Threads: the thread that uses the System.
// Fails:   run() says why it stopped: the Client, too many states, values without order (state_search.h; then states
//          have to be compared with clocks), cells that turned out to be shared (then once more), or a loop that let
//          no other thread run (then with every cell).
// From:    Musuvathi, Qadeer 2007 (iterative context bounding). Differs: states are matched; a thread is preempted only
//          where it is about to touch a cell that another thread touches, too.
//
// A switch is preemptive if the last running thread could continue. Where it is blocked, has ended, sleeps or yields,
// the next thread is chosen freely. A state is left if it was met before with the same thread running, and no more
// preemptive switches after it. docs/PROOFS.md says what is not lost.
//
// System, Client: as in state_search.h; a System with clocks has fingerprint(bool).
#pragma once

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "server/detect/finding.h"
#include "server/explore/explore.h"
#include "server/explore/search_path.h"
#include "server/explore/state_summary.h"
#include "server/explore/thread_choice.h"
#include "server/explore/visited.h"

namespace heddle::explore {

enum class BoundedEnd : uint8_t { Covered, Everything, Stopped, TooManyStates, UnorderedValues, NewlyShared, Cycle };

template <typename System, typename Client>
class BoundedSearch {
 public:
  // `every_cell`: threads are preempted at every cell, also at those that no other thread touches.
  BoundedSearch(System& system, Client& client, Statistics& statistics, SharedCells& cells, bool with_clocks,
                bool every_cell)
      : system_(system),
        client_(client),
        statistics_(statistics),
        cells_(cells),
        noted_(cells),
        with_clocks_(with_clocks),
        every_cell_(every_cell) {}

  BoundedEnd run(uint32_t preemptions, uint64_t states_max) {
    most_ = preemptions;
    states_max_ = states_max;
    next_running_ = kNone;
    bool on = open();
    while (end_ == BoundedEnd::Covered) {
      while (on) on = step() && open();
      if (end_ != BoundedEnd::Covered || !go_back(system_, nodes_, [this](Node& node) { choose(node); })) break;
      on = true;
    }
    if (end_ != BoundedEnd::Covered) return end_;
    for (const uint32_t cell : unshared_)
      if (cells_.shared(cell)) return BoundedEnd::NewlyShared;
    if (round_ && !unshared_.empty()) return BoundedEnd::Cycle;  // a cycle in which no other thread ran
    return refused_ ? BoundedEnd::Covered : BoundedEnd::Everything;
  }

  detect::Schedule schedule() const { return schedule_of(nodes_); }

 private:
  using ThreadId = machine::ThreadId;
  using Operation = machine::Operation;
  using OperationKind = machine::OperationKind;

  static constexpr uint32_t kNone = ~0u;
  static constexpr uint32_t kStreakMax = 1000;  // steps in a row without a look whether the state was met
  static constexpr size_t kRoundMax = 200;      // steps of a waiting loop, until it is known as one
  static constexpr uint32_t kPassedMax = 100;   // less than kRoundMax, so that a cycle of the thread is seen

  struct Node {
    decltype(std::declval<System>().mark()) mark;
    ThreadSet left;
    uint32_t current = 0, alternative = 0, alternatives = 1;
    uint64_t outcomes = 0, state = 0;  // outcomes: see following()
    uint32_t running = kNone;          // the thread that ran last and can continue
    uint32_t switches = 0;             // preemptive ones before it
    uint32_t streak = 0;
    uint32_t passed = 0;     // steps in a row in which a thread was not preempted for what it touches
    bool singleton = false;  // the order of the current operation does not matter
    bool only = false;       // no other thread is enabled
  };

  const Operation& pending(uint32_t thread) { return system_.pending(ThreadId(thread)); }

  bool open() {
    ++statistics_.states;
    const uint32_t threads = system_.thread_count();
    if (!within_limits(client_, threads, nodes_.size())) return false;
    const ThreadSet enabled = enabled_threads(system_, threads);
    if (enabled.empty()) {
      end(PathEnd::Stuck);
      return false;
    }
    Node node;
    node.running = next_running_ != kNone && enabled.has(next_running_) ? next_running_ : kNone;
    node.switches = next_switches_;
    node.streak = next_streak_;
    node.passed = nodes_.empty() ? 0 : nodes_.back().passed;
    const uint32_t singleton = node.streak < kStreakMax ? singleton_among(system_, client_, enabled) : kThreadsMax;
    if (singleton != kThreadsMax) {
      node.singleton = true;
      node.only = enabled.count() == 1;
      node.left.add(singleton);
    } else if (!enter(node, enabled)) {
      return false;
    }
    nodes_.push_back(node);
    choose(nodes_.back());
    if (enabled.count() > 1 || nodes_.back().alternatives > 1) nodes_.back().mark = system_.mark();
    return true;
  }

  // Met for the first time with this few switches: those to be tried. Otherwise only a loop continues that does not
  // know yet that it waits.
  bool enter(Node& node, const ThreadSet& enabled) {
    const uint64_t state = with_clocks_ ? hash_with_clocks() : system_.state_hash();
    node.state = state ^ enabled.word(0) * 0x9e3779b97f4a7c15ull ^ enabled.word(1) * 0xc2b2ae3d27d4eb4full ^
                 (uint64_t{node.running} + 1) * 0xd6e8feb86659fd93ull;
    if (!visited_.enter(node.state, node.switches)) {
      if (running_thread_cycles(node)) {
        node.singleton = true;
        node.left.add(node.running);
        return true;
      }
      if (on_path(node)) {
        round_ = true;
        if constexpr (requires { client_.cycle_closed(); }) client_.cycle_closed();
      }
      ++statistics_.redundant;
      return false;
    }
    if (visited_.size() > states_max_) {
      end_ = BoundedEnd::TooManyStates;
      return false;
    }
    node.left = who_may_follow(node, enabled);
    return true;
  }

  uint64_t hash_with_clocks() {
    if constexpr (requires { system_.fingerprint(true); })
      return system_.fingerprint(true);
    else
      return system_.state_hash();
  }

  ThreadSet who_may_follow(Node& node, const ThreadSet& enabled) {
    if (node.running == kNone) return enabled;
    ThreadSet result;
    result.add(node.running);
    if (enabled.count() == 1) return result;
    if (node.passed < kPassedMax && !touches_shared(node.running)) {
      ++node.passed;
      return result;
    }
    node.passed = 0;
    if (node.switches < most_) return enabled;
    refused_ = true;
    return result;
  }

  // A thread that is about to touch only what it alone touches, as in its last step, may be preempted after that as
  // well.
  bool touches_shared(uint32_t thread) {
    if (every_cell_ || system_.thread_count() > 64) return true;
    step_.clear(thread);
    if constexpr (requires { system_.machine().recent_accesses(ThreadId(thread), accesses_); }) {
      accesses_.clear();
      system_.machine().recent_accesses(ThreadId(thread), accesses_);
      for (const auto& access : accesses_)
        noted_.add_access(step_, access.at.object(), access.at.offset(), access.size, access.write);
    }
    noted_.add_operation(step_, footprint(pending(thread)));
    for (const uint64_t touch : step_.touches)
      if (cells_.shared(StateSummaries::cell_of(touch))) return true;
    for (const uint64_t touch : step_.touches) unshared_.insert(StateSummaries::cell_of(touch));
    return false;
  }

  bool on_path(const Node& now) const { return met_lately(nodes_, now.state, kRoundMax); }

  // The running thread has come back to this state by itself. It continues until the machine sees that it waits.
  bool running_thread_cycles(const Node& now) const {
    return now.running != kNone && now.streak < kRoundMax && thread_cycles(nodes_, now.running, now.state, kRoundMax);
  }

  // The running thread first, the end of the process last.
  void choose(Node& node) {
    const uint32_t next = running_or_first(system_, node.left, node.running == kNone ? kThreadsMax : node.running);
    take(node, next, pending(next));
  }

  bool step() {
    const Node& node = nodes_.back();
    const ThreadId thread(node.current);
    const OperationKind kind = pending(node.current).kind;
    const bool yields = kind == OperationKind::Yield || kind == OperationKind::Sleep;
    const bool preempts = !node.singleton && node.running != kNone && node.running != node.current;
    next_switches_ = node.switches + (preempts ? 1 : 0);
    next_streak_ = node.singleton ? node.streak + 1 : 0;
    // A step that no thread notices is no turn: the thread that ran before it still counts as the running one.
    const bool turn = !node.singleton || node.only || node.running == node.current;
    next_running_ = !turn ? node.running : yields ? kNone : node.current;
    client_.about_to(thread);
    const machine::Outcome outcome = system_.perform(thread, node.alternative);
    ++statistics_.events;
    if (!client_.stepped(thread)) {
      end_ = BoundedEnd::Stopped;
      return false;
    }
    if (outcome == machine::Outcome::Running) {
      if (with_clocks_ || !client_.used_unsynchronised_read(thread)) return true;
      end_ = BoundedEnd::UnorderedValues;
      return false;
    }
    end(outcome == machine::Outcome::Finished ? PathEnd::Finished : PathEnd::Faulted);
    return false;
  }

  void end(PathEnd how) {
    ++statistics_.executions;
    client_.ended(how);
  }

  System& system_;
  Client& client_;
  Statistics& statistics_;
  SharedCells& cells_;
  StateSummaries noted_;
  const bool with_clocks_, every_cell_;
  uint32_t most_ = 0;
  uint64_t states_max_ = 0;
  std::vector<Node> nodes_;
  SwitchTable visited_;
  std::set<uint32_t> unshared_;  // cells before which a thread was not preempted
  StateSummaries::Step step_;
  std::vector<machine::Machine::PlainAccess> accesses_;
  uint32_t next_running_ = kNone, next_switches_ = 0, next_streak_ = 0;
  bool refused_ = false;
  bool round_ = false;  // a path came back to one of its states
  BoundedEnd end_ = BoundedEnd::Covered;
};

}  // namespace heddle::explore
