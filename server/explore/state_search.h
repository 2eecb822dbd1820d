// Every state once: a depth-first search that stops where it has been before. Persistent sets: it tries another thread
// at a state only if the two conflict.
//
// In:      a System in its first state; a Client.
// Out:     every error and every end is met, up to the order of independent steps. Without `dynamic_partial_order`
//          every reachable state is entered. The Client sees each step and each end of a path.
// Cost:    48 to 96 bytes a state, and its summary (`state_summary.h`); a step, and the hash of the state after it.
// Owns:    its stack of choices and the set of states.
// Threads: the thread that uses the System.
// Fails:   run() says why it stopped: the Client, too many states, or values without order (see below).
// From:    Godefroid 1996, section 5 (sleep sets with state matching); PorSe 4.2 (cutoffs by fingerprint); Flanagan,
//          Godefroid 2005, Figure 3 (backtrack sets); Yang, Chen, Gopalakrishnan, Kirby 2008 (state summaries).
//
// The number of states can be a small part of the number of executions up to equivalence. Executions multiply with
// every pair of operations whose order leaves no trace (two decrements of a reference count). States can also be far
// more: n independent threads have one execution. So this search alternates with `partial_order.h`.
//
// Races. Happens-before clocks are no part of a state: two ways to one state may order earlier events differently.
// Nothing is lost as long as every value that one thread gets from another comes with happens-before (a lock, a release
// read by an acquire). Take a race of x in thread A with y in thread B, and let P be all that happens before y. P does
// not contain what A does after x, and each value read in P was written in P. So P can be run without what A does after
// x, and y then follows when x is in the last step of A. What each thread did in its last step is part of the state
// (Machine::recent_hash), so the race shows on every way that led there. The Client says when a value came without
// order (a relaxed read, a failed try-lock) and something follows from it: then the search gives up. A thread is
// explored alone only if no other thread later touches what it touched in its last step, so this state is not left out.
//
// System:  as in partial_order.h, and state_hash()
// Client:  as in partial_order.h, and void about_to(ThreadId): before a step; bool used_unsynchronised_read(ThreadId):
// after it; did
//          the thread act on a value that it got without order
#pragma once

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "server/detect/finding.h"
#include "server/explore/explore.h"
#include "server/explore/search_path.h"
#include "server/explore/singleton_estimate.h"
#include "server/explore/state_summary.h"
#include "server/explore/thread_choice.h"
#include "server/explore/visited.h"

namespace heddle::explore {

enum class StateSearchEnd : uint8_t { Complete, Stopped, TooManyStates, UnorderedValues };

template <typename System, typename Client>
class StateSearch {
 public:
  StateSearch(System& system, Client& client, const Reductions& reductions, Statistics& statistics, uint64_t states_max,
              SharedCells& cells)
      : system_(system),
        client_(client),
        reductions_(reductions),
        statistics_(statistics),
        states_max_(states_max),
        summaries_(cells),
        reduced_(reductions.dynamic_partial_order) {
    cells.begin();
  }

  StateSearchEnd run() {
    bool on = open({}, 0);
    while (true) {
      while (on) on = step() && open(next_sleep_, next_streak_);
      if (end_ != StateSearchEnd::Complete) return end_;
      if (!backtrack()) return end_;
      on = true;
    }
  }

  detect::Schedule schedule() const { return schedule_of(nodes_); }

 private:
  using ThreadId = machine::ThreadId;
  using Operation = machine::Operation;
  using Summary = StateSummaries::Summary;

  static constexpr uint32_t kNone = ~0u;

  struct Node {
    decltype(std::declval<System>().mark()) mark;
    ThreadSet enabled;
    ThreadSet left;   // has to be chosen yet
    ThreadSet tried;  // was chosen
    ThreadSet sleep;  // its next operation leads to no new state
    uint32_t current = 0, alternative = 0, alternatives = 1, threads = 0;
    uint64_t outcomes = 0;   // see following()
    uint32_t operation = 0;  // in estimate_
    uint32_t visit = 0;      // of a first node: in places_
    uint64_t state = 0;
    uint32_t streak = 0;           // steps in a row whose order did not matter
    uint32_t lowest = kNone;       // the earliest node whose state a path from here comes back to
    ThreadMask woken = 0;          // by the current operation
    ThreadMask backtrack_set = 0;  // threads to be tried in place of it
    bool met = false;              // it conflicts with a later step of another thread
    bool singleton = false;        // the order of the current operation does not matter
    bool first = false;            // the first on the path in its state
    bool whole = false;            // every enabled thread has to be tried
  };
  // Of the node at the same place on the path.
  struct NodeSummary {
    StateSummaries::Step step;
    Summary all;  // after the state
  };

  // As many steps in a row may be taken without looking whether the state was seen.
  static constexpr uint32_t kStreakMax = 1000;
  static constexpr size_t kRoundMax = 200;  // steps of a waiting loop, until it is known as one
  // Of a state: its summary is not known yet, and the rest is its visit. Of a visit: it is over, and the rest is that
  // of the node that its paths come back to.
  static constexpr uint32_t kOnPath = 0x8000'0000, kOver = 0x8000'0000;

  const Operation& pending(uint32_t thread) { return system_.pending(ThreadId(thread)); }

  bool open(const ThreadSet& sleep, uint32_t streak) {
    ++statistics_.states;
    returned_.clear();
    returned_lowest_ = kNone;
    const uint32_t threads = system_.thread_count();
    if (!within_limits(client_, threads, nodes_.size())) return leaf();
    if (reduced_ && (threads > 64 || summaries_.full())) give_up_reducing();
    const ThreadSet enabled = enabled_threads(system_, threads);
    if (!nodes_.empty()) note_woken(enabled);
    if (enabled.empty()) {
      end(PathEnd::Stuck);
      return leaf();
    }
    Node node;
    node.enabled = enabled;
    node.streak = streak;
    node.sleep = sleep;
    node.threads = threads;
    Summary before;
    const uint32_t singleton = streak < kStreakMax ? singleton_among(system_, client_, enabled) : kThreadsMax;
    if (singleton != kThreadsMax) {
      node.singleton = true;
      if (!sleep.has(singleton)) node.left.add(singleton);
    } else {
      // The enabled threads show whether a waiting loop was left.
      node.state =
          system_.state_hash() ^ (enabled.word(0) * 0x9e3779b97f4a7c15ull + enabled.word(1) * 0xc2b2ae3d27d4eb4full);
      enter(node, before);
      if (end_ != StateSearchEnd::Complete) return false;
      if (node.left.empty() && running_thread_cycles(enabled, node.state)) {
        node.singleton = true;
        node.left.add(nodes_.back().current);
      }
    }
    if (node.left.empty()) return revisited(node, before);
    push(node, std::move(before));
    return true;
  }

  // Nothing is left to try in this state: it was met before, or all enabled threads sleep.
  bool revisited(const Node& node, Summary& before) {
    if constexpr (requires { client_.cycle_closed(); })
      if (on_path(node.state, node.streak) || comes_back_alone(node.state)) client_.cycle_closed();
    ++statistics_.redundant;
    if (node.first || node.singleton) {
      leaf();
      if (node.first && reduced_) visited_.set(node.state, summaries_.store(returned_));
      return false;
    }
    returned_ = std::move(before);
    returned_lowest_ = node.lowest;
    return false;
  }

  void push(Node& node, Summary&& before) {
    if (node.first && reduced_) {
      node.visit = static_cast<uint32_t>(places_.size());
      places_.push_back(static_cast<uint32_t>(nodes_.size()));
      visited_.set(node.state, kOnPath | node.visit);
    }
    nodes_.push_back(node);
    if (node_summaries_.size() < nodes_.size()) node_summaries_.resize(nodes_.size());
    node_summaries_[nodes_.size() - 1].all = std::move(before);
    choose(nodes_.back());
    if (node.first && reduced_) nodes_.back().left = {};
    if (node.enabled.count() > 1 || nodes_.back().alternatives > 1) nodes_.back().mark = system_.mark();
  }

  // A thread that runs in a cycle alone is seen once in a longest streak.
  bool on_path(uint64_t state, uint32_t streak) const {
    return met_lately(nodes_, state, streak >= kStreakMax ? 64 * kStreakMax : kRoundMax);
  }

  // Where no other thread can run, a round may be long.
  bool comes_back_alone(uint64_t state) const {
    for (size_t n = nodes_.size(); n-- > 0 && nodes_[n].enabled.count() == 1;)
      if (nodes_[n].state == state && !nodes_[n].singleton) return true;
    return false;
  }

  // The running thread has come back to this state by itself. It continues until the machine sees that it waits.
  bool running_thread_cycles(const ThreadSet& enabled, uint64_t state) const {
    if (nodes_.empty() || !enabled.has(nodes_.back().current) || nodes_.back().streak >= kRoundMax) return false;
    return thread_cycles(nodes_, nodes_.back().current, state, kRoundMax);
  }

  // What has to be tried in this state, and what is known of it; `sleep` becomes the set of those that lead nowhere new
  // from here.
  void enter(Node& node, Summary& before) {
    const auto known = visited_.enter(node.state, reductions_.sleep_sets ? node.sleep.word(0) : 0);
    if (known.fresh && visited_.size() > states_max_) end_ = StateSearchEnd::TooManyStates;
    node.first = known.fresh;
    if (!known.fresh && reduced_) {
      if (known.summary & kOnPath)
        node.lowest = place_of(known.summary & ~kOnPath);
      else
        summaries_.load(known.summary, before);
    }
    if (!reductions_.sleep_sets) {
      if (known.fresh) node.left = node.enabled;
      return;
    }
    node.left = node.enabled;
    for (uint32_t thread = 0; thread < kThreadsMax; ++thread) {
      // Only the first 64 threads are remembered to have slept; the others are never put to sleep.
      const bool was_asleep = known.fresh || (thread < 64 && (known.slept >> thread & 1) != 0);
      if (node.sleep.has(thread) || !was_asleep) node.left.remove(thread);
    }
    if (!known.fresh)
      for (uint32_t thread = 0; thread < 64; ++thread)
        if ((known.slept >> thread & 1) == 0) node.sleep.remove(thread);
  }

  // The running thread continues if it can; the end of the process comes last.
  void choose(Node& node) {
    const uint32_t running = nodes_.size() > 1 ? nodes_[nodes_.size() - 2].current : kThreadsMax;
    const uint32_t next = running_or_first(system_, node.left, running);
    const uint32_t chosen = node.first && reduced_ ? likely_singleton(node, next) : next;
    take(node, chosen, pending(chosen));
    if (reduced_) {
      node.operation = estimate_.number(pending(node.current));
      NodeSummary& summary = node_summaries_[nodes_.size() - 1];
      describe(node.current, summary.step);
    }
  }

  // Of those that may be chosen, the thread whose next operation most often had no conflict so far.
  uint32_t likely_singleton(const Node& node, uint32_t usual) {
    uint32_t result = usual;
    double best = -1;
    const auto look = [&](uint32_t thread) {
      const Operation& operation = pending(thread);
      if (operation.kind == machine::OperationKind::ProcessExit) return;
      const double share = estimate_.share(estimate_.number(operation));
      if (share > best) best = share, result = thread;
    };
    look(usual);
    for_each(node.left, look);
    return result;
  }

  bool step() {
    Node& node = nodes_.back();
    const ThreadId thread(node.current);
    next_streak_ = node.singleton ? node.streak + 1 : 0;
    next_sleep_ = {};
    if (reductions_.sleep_sets && !node.sleep.empty()) {
      const Footprint touched = footprint(pending(node.current));
      for_each(node.sleep, [&](uint32_t other) {
        if (other != node.current && !dependent(touched, footprint(pending(other)))) next_sleep_.add(other);
      });
    }
    node.woken = 0;
    client_.about_to(thread);
    const machine::Outcome outcome = system_.perform(thread, node.alternative);
    ++statistics_.events;
    if (!client_.stepped(thread)) {
      end_ = StateSearchEnd::Stopped;
      return false;
    }
    if (outcome == machine::Outcome::Running) {
      if constexpr (requires { system_.failed(); })
        if (system_.failed()) node.whole = true;
      if (!client_.used_unsynchronised_read(thread)) return true;
      end_ = StateSearchEnd::UnorderedValues;
      return false;
    }
    node.whole = true;
    end(outcome == machine::Outcome::Finished ? PathEnd::Finished : PathEnd::Faulted);
    returned_.clear();
    returned_lowest_ = kNone;
    return leaf();
  }

  void end(PathEnd how) {
    ++statistics_.executions;
    client_.ended(how);
  }

  // Go back to the newest choice that has something left.
  bool backtrack() {
    while (!nodes_.empty()) {
      Node& node = nodes_.back();
      if (reduced_) returned(node);
      if (const uint32_t next = following(node.outcomes, node.alternative + 1); next < node.alternatives) {
        node.alternative = next;
        system_.rewind(node.mark);
        return true;
      }
      node.tried.add(node.current);
      if (node.first) finish_thread(node);
      if (!node.left.empty()) {
        system_.rewind(node.mark);
        if (node.current < 64) node.sleep.add(node.current);
        choose(node);
        return true;
      }
      if (reduced_) close(node);
      nodes_.pop_back();
    }
    return false;
  }

  // --- persistent sets: see state_summary.h ---

  // What the thread touches with its next operation, and has touched since its last.
  void describe(uint32_t thread, StateSummaries::Step& step) {
    step.clear(thread);
    if constexpr (requires { system_.machine().recent_accesses(ThreadId(thread), accesses_); }) {
      accesses_.clear();
      system_.machine().recent_accesses(ThreadId(thread), accesses_);
      for (const auto& access : accesses_)
        summaries_.add_access(step, access.at.object(), access.at.offset(), access.size, access.write);
    }
    if (system_.status(ThreadId(thread)) == machine::ThreadStatus::Ended) return;
    const Operation& operation = pending(thread);
    if (client_.relevant(operation)) summaries_.add_operation(step, footprint(operation));
  }

  // The path ends: what all were about to do, blocked threads among them, could have come before.
  bool leaf() {
    if (!reduced_) return false;
    for (uint32_t thread = 0; thread < system_.thread_count() && thread < 64; ++thread) {
      describe(thread, leaf_step_);
      summaries_.add(leaf_step_, returned_);
    }
    return false;
  }

  // Threads that wait for the current operation were about to do what they do next before it.
  void note_woken(const ThreadSet& enabled) {
    Node& node = nodes_.back();
    if (!reduced_) return;
    for_each(enabled - node.enabled, [&](uint32_t thread) {
      const bool created = thread >= node.threads;
      if (created || waits_for_one_thing(pending(thread))) node.woken |= only(thread);
      if (created) return;
      describe(thread, leaf_step_);
      summaries_.add(leaf_step_, node_summaries_[nodes_.size() - 1].all);
    });
  }

  // Could only a thread that does the same have replaced the one that made it possible? Not if the operation may be
  // cancelled, or is a loop that waits for one of several words.
  static bool waits_for_one_thing(const Operation& operation) {
    if (machine::heeds_requests(operation) || operation.spinning) return false;
    if (operation.kind == machine::OperationKind::Join) return operation.size == 0;
    const machine::Waiting waiting = machine::waiting_of(operation.kind);
    return waiting == machine::Waiting::Blocks || waiting == machine::Waiting::EndsWait;
  }

  // The summary after an alternative of the current operation is known: which threads have to be tried in its place?
  void returned(Node& node) {
    const uint32_t depth = static_cast<uint32_t>(nodes_.size() - 1);
    NodeSummary& summary = node_summaries_[depth];
    if (returned_lowest_ != kNone) {
      node.lowest = std::min(node.lowest, returned_lowest_);
      if (returned_lowest_ <= depth) node.whole = true;
    }
    if (!node.whole && node.first) {
      const ThreadMask done = node.tried.word(0) | node.left.word(0),
                       awake = node.enabled.word(0) & ~node.sleep.word(0);
      summaries_.conflicts(summary.step, returned_, node.woken, node.enabled.word(0),
                           [&](uint32_t thread, ThreadMask first) {
                             node.met = true;
                             if (first & (done | node.backtrack_set)) return;
                             first &= awake;
                             if (first == 0) node.whole = true;
                             node.backtrack_set |= first >> thread & 1 ? only(thread) : first & -first;
                           });
    }
    summaries_.prepend(summary.step, returned_, node.woken, summary.all);
  }

  // All alternatives of the current thread were tried. If it has no conflict, no other thread has to be.
  void finish_thread(Node& node) {
    if (reduced_ && !node.whole) {
      estimate_.record(node.operation, node.met);
      if (!node.met) node.left = {};
      for (ThreadMask more = node.backtrack_set; more != 0; more &= more - 1)
        node.left.add(static_cast<uint32_t>(std::countr_zero(more)));
    }
    if (node.whole) node.left = node.left | (node.enabled - node.tried - node.sleep);
    node.met = false;
    node.backtrack_set = 0;
  }

  // All that has to be was tried in this state.
  void close(Node& node) {
    const uint32_t depth = static_cast<uint32_t>(nodes_.size() - 1);
    Summary& all = node_summaries_[depth].all;
    const bool known = node.lowest == kNone || node.lowest >= depth;
    if (node.lowest == depth) {
      summaries_.forget_order(all);
      for (; !cycle_.empty() && cycle_.back().depth > depth; cycle_.pop_back())
        visited_.set(cycle_.back().state, summaries_.store(all));
    }
    if (!node.singleton && known) visited_.set(node.state, summaries_.store(all));
    if (node.first && !known) {
      places_[node.visit] = kOver | nodes_[node.lowest].visit;
      cycle_.push_back({node.state, depth});
    }
    returned_.swap(all);
    returned_lowest_ = known ? kNone : node.lowest;
  }

  // The node on the path that all paths from there come back to.
  uint32_t place_of(uint32_t visit) const {
    while (places_[visit] & kOver) visit = places_[visit] & ~kOver;
    return places_[visit];
  }

  void give_up_reducing() {
    reduced_ = false;
    for (Node& node : nodes_) node.whole = true;
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

  StateSummaries summaries_;
  bool reduced_;
  std::vector<NodeSummary> node_summaries_;
  SingletonEstimate estimate_;
  StateSummaries::Step leaf_step_;
  std::vector<machine::Machine::PlainAccess> accesses_;
  Summary returned_;  // after the step that was done last
  uint32_t returned_lowest_ = kNone;
  struct OnCycle {
    uint64_t state = 0;
    uint32_t depth = 0;
  };
  std::vector<uint32_t> places_;  // of visits, on the path
  std::vector<OnCycle> cycle_;    // states whose summaries wait for an earlier node of the path
};

}  // namespace heddle::explore
