// Every state once: a depth-first search that goes no further where it has been before.
//
// The number of states can be a small part of the number of executions up to equivalence, which multiply with every
// pair of operations whose order leaves no trace (two decrements of a reference count). It can also be far larger: n
// threads that have nothing to do with each other have one execution. So this takes its turn with partial_order.h.
//
// In:      a System in its first state; a Client.
// Out:     every reachable state is entered; the Client sees each step and each end of a path.
// Cost:    16 bytes a state; a step, and the hash of the state after it, for each operation that does not sleep.
// Owns:    its stack of choices and the set of states. Threads: one.
// Fails:   says when it had to stop: too many states, or an order that states do not tell (see below).
// From:    Godefroid 1996, section 5 (sleep sets with state matching); PorSe 4.2 (cutoffs by fingerprint).
//
// Races. Happens-before clocks are no part of a state: two ways to one state may order differently what came before.
// Nothing is lost as long as every value that one thread gets from another comes with happens-before (a lock, a
// release read by an acquire). Take a race of x in thread A with y in thread B, and P, all that happens before y: P
// does not contain what A does after x, and whoever in P read something read it from P. So P can be run without what A
// does after x, and then y follows when x is in the last step of A. What each thread did in its last step is part of
// the state (Machine::recent_hash), so the race shows on whatever way led there. The Client tells when a value came
// without order (a relaxed read, a lock that was tried in vain) and something follows from it: the search gives up.
//
// System:  as in partial_order.h, and state_hash()
// Client:  as in partial_order.h, and void about_to(ThreadId): before a step; bool traceless(ThreadId): after it; did
// the
//          thread act on a value that it got without order
#pragma once

#include <algorithm>
#include <vector>

#include "server/explore/partial_order.h"
#include "server/explore/visited.h"

namespace heddle::explore {

enum class StateSearchEnd : uint8_t { Complete, Stopped, TooManyStates, UnorderedValues };

template <typename System, typename Client>
class StateSearch {
 public:
  StateSearch(System& system, Client& client, const Reductions& reductions, Statistics& statistics, uint64_t states_max)
      : system_(system), client_(client), reductions_(reductions), statistics_(statistics), states_max_(states_max) {}

  StateSearchEnd run() {
    bool on = open({}, 0);
    while (true) {
      while (on) on = step() && open(next_sleep_, next_streak_);
      if (end_ != StateSearchEnd::Complete) return end_;
      if (!backtrack()) return end_;
      on = true;
    }
  }

  detect::Schedule schedule() const {
    detect::Schedule result;
    for (const Node& node : nodes_) result.push_back({machine::ThreadId(node.current), node.alternative});
    return result;
  }

 private:
  using ThreadId = machine::ThreadId;
  using Operation = machine::Operation;

  struct Node {
    decltype(std::declval<System>().mark()) mark;
    ThreadSet left;   // still to be chosen
    ThreadSet sleep;  // whose next operation leads nowhere new
    uint32_t current = 0, alternative = 0, alternatives = 1;
    uint64_t state = 0;
    uint32_t streak = 0;  // steps in a row whose order did not matter
    bool alone = false;   // the order of the current operation does not matter
  };

  // As many steps in a row may be taken without looking whether the state was seen.
  static constexpr uint32_t kStreakMost = 1000;
  static constexpr size_t kRoundMost = 200;  // steps of a waiting loop, until it is known as one

  const Operation& pending(uint32_t thread) { return system_.pending(ThreadId(thread)); }

  bool open(const ThreadSet& sleep, uint32_t streak) {
    ++statistics_.states;
    const uint32_t threads = system_.thread_count();
    if (threads > kThreadsMax || nodes_.size() >= kStepsMax) {
      client_.beyond(threads > kThreadsMax ? Beyond::Threads : Beyond::Steps);
      return false;
    }
    ThreadSet enabled;
    for (uint32_t thread = 0; thread < threads; ++thread) {
      if (system_.enabled(ThreadId(thread))) enabled.add(thread);
    }
    if (enabled.empty()) {
      end(PathEnd::Stuck);
      return false;
    }
    Node node;
    node.streak = streak;
    node.sleep = sleep;
    const uint32_t alone = streak < kStreakMost ? alone_among(enabled) : kThreadsMax;
    if (alone != kThreadsMax) {
      node.alone = true;
      if (!sleep.has(alone)) node.left.add(alone);
    } else {
      // Whether a waiting loop was left is told by who can go on.
      node.state =
          system_.state_hash() ^ (enabled.word(0) * 0x9e3779b97f4a7c15ull + enabled.word(1) * 0xc2b2ae3d27d4eb4full);
      node.left = unexplored(enabled, node.state, node.sleep);
      if (end_ != StateSearchEnd::Complete) return false;
      if (node.left.empty() && goes_round(enabled, node.state)) {
        node.alone = true;
        node.left.add(nodes_.back().current);
      }
    }
    if (node.left.empty()) {
      if constexpr (requires { client_.goes_round(); })
        if (on_path(node.state, streak)) client_.goes_round();
      ++statistics_.redundant;
      return false;
    }
    nodes_.push_back(node);
    choose(nodes_.back());
    if (!nodes_.back().left.empty() || nodes_.back().alternatives > 1) nodes_.back().mark = system_.mark();
    return true;
  }

  // A thread whose next operation is independent of all that others do: it goes at once, and nobody else has to be
  // tried in its place. So does the only thread that can go on.
  uint32_t alone_among(const ThreadSet& enabled) {
    if (enabled.count() == 1) return enabled.first();
    uint32_t result = kThreadsMax;
    for_each(enabled, [&](uint32_t thread) {
      if (result != kThreadsMax) return;
      const Operation& operation = pending(thread);
      if (!client_.relevant(operation) || footprint(operation).count == 0) result = thread;
    });
    return result;
  }

  // Is it one of the newest states of the path? A thread that goes round alone is seen there once in a longest streak.
  bool on_path(uint64_t state, uint32_t streak) const {
    const size_t most = streak >= kStreakMost ? 64 * kStreakMost : kRoundMost;
    const size_t from = nodes_.size() - std::min<size_t>(nodes_.size(), most);
    for (size_t n = nodes_.size(); n-- > from;)
      if (nodes_[n].state == state && !nodes_[n].alone) return true;
    return false;
  }

  // The running thread has come back to this state by itself. It has to go on until the machine sees that it waits.
  bool goes_round(const ThreadSet& enabled, uint64_t state) const {
    if (nodes_.empty() || !enabled.has(nodes_.back().current)) return false;
    const size_t from = nodes_.size() - std::min<size_t>(nodes_.size(), kRoundMost);
    for (size_t n = nodes_.size(); n-- > from && nodes_[n].current == nodes_.back().current;)
      if (nodes_[n].state == state && !nodes_[n].alone) return nodes_.back().streak < kRoundMost;
    return false;
  }

  // What has to be tried in this state; `sleep` becomes the set of those that lead nowhere new from here.
  ThreadSet unexplored(const ThreadSet& enabled, uint64_t state, ThreadSet& sleep) {
    const auto [slept, fresh] = visited_.enter(state, reductions_.sleep_sets ? sleep.word(0) : 0);
    if (fresh && visited_.size() > states_max_) end_ = StateSearchEnd::TooManyStates;
    if (!reductions_.sleep_sets) return fresh ? enabled : ThreadSet{};
    ThreadSet result = enabled;
    for (uint32_t thread = 0; thread < kThreadsMax; ++thread) {
      // Only the first 64 threads are remembered to have slept; the others are never put to sleep.
      const bool was_asleep = fresh || (thread < 64 && (slept >> thread & 1) != 0);
      if (sleep.has(thread) || !was_asleep) result.remove(thread);
    }
    if (!fresh)
      for (uint32_t thread = 0; thread < 64; ++thread)
        if ((slept >> thread & 1) == 0) sleep.remove(thread);
    return result;
  }

  // The running thread goes on if it can; the end of the process comes last.
  void choose(Node& node) {
    uint32_t next = kThreadsMax;
    const auto exits = [&](uint32_t thread) { return pending(thread).kind == machine::OperationKind::ProcessExit; };
    const uint32_t running = nodes_.size() > 1 ? nodes_[nodes_.size() - 2].current : kThreadsMax;
    if (running != kThreadsMax && node.left.has(running) && !exits(running)) next = running;
    for_each(node.left, [&](uint32_t thread) {
      if (next == kThreadsMax && !exits(thread)) next = thread;
    });
    node.current = next != kThreadsMax ? next : node.left.first();
    node.left.remove(node.current);
    node.alternative = 0;
    node.alternatives = pending(node.current).alternatives;
  }

  bool step() {
    Node& node = nodes_.back();
    const ThreadId thread(node.current);
    next_streak_ = node.alone ? node.streak + 1 : 0;
    next_sleep_ = {};
    if (reductions_.sleep_sets && !node.sleep.empty()) {
      const Footprint touched = footprint(pending(node.current));
      for_each(node.sleep, [&](uint32_t other) {
        if (other != node.current && !dependent(touched, footprint(pending(other)))) next_sleep_.add(other);
      });
    }
    client_.about_to(thread);
    const machine::Outcome outcome = system_.perform(thread, node.alternative);
    ++statistics_.events;
    if (!client_.stepped(thread)) {
      end_ = StateSearchEnd::Stopped;
      return false;
    }
    if (outcome == machine::Outcome::Running) {
      if (!client_.traceless(thread)) return true;
      end_ = StateSearchEnd::UnorderedValues;
      return false;
    }
    end(outcome == machine::Outcome::Finished ? PathEnd::Finished : PathEnd::Faulted);
    return false;
  }

  void end(PathEnd how) {
    ++statistics_.executions;
    client_.ended(how);
  }

  bool backtrack() {
    while (!nodes_.empty()) {
      Node& node = nodes_.back();
      if (node.alternative + 1 < node.alternatives) {
        ++node.alternative;
        system_.rewind(node.mark);
        return true;
      }
      if (!node.left.empty()) {
        system_.rewind(node.mark);
        if (node.current < 64) node.sleep.add(node.current);
        choose(node);
        return true;
      }
      nodes_.pop_back();
    }
    return false;
  }

  System& system_;
  Client& client_;
  const Reductions& reductions_;
  Statistics& statistics_;
  const uint64_t states_max_;
  std::vector<Node> nodes_;
  SleepTable visited_;
  ThreadSet next_sleep_;
  uint32_t next_streak_ = 0;
  StateSearchEnd end_ = StateSearchEnd::Complete;
};

}  // namespace heddle::explore
