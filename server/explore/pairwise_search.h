// The interleavings of one pair of threads around a fragment. T_i is the modified thread, T_j the other one, l_mod the
// fragment.
//
// In:      a System in its first state, and a Client that knows the pair and the fragment.
// Out:     every such interleaving is performed, except those that lead to a state (machine and strategy) seen before.
//          The Client sees each step and each end of a path.
// Owns:    its stack and the set of visited states.
// Threads: the thread that uses the System.
// Fails:   run() is false if the Client stopped the search. A path that is too long ends, and the Client hears of it.
// From:    Pairwise, Figure 2 and the end of section 3.1. Differs: if T_i holds locks at l_mod, it also waits where it
//          takes the outermost of them, since threads that need the lock could not move before l_mod otherwise.
//
// Until T_i stands at l_mod there is no preemption, and T_i goes first. While T_i stands at the entry of l_mod:
//   - Each further thread may run any prefix of what it can do: the consistent cuts of the events that are not ordered
//     before l_mod. The threads do so one after the other in a fixed order. Each stops where its next operation depends
//     on l_mod, and continues when it was blocked and is enabled again.
//   - Then T_j may stop at every scheduling point.
// Inside l_mod both alternate at every scheduling point. After it there is no preemption. When the running thread
// blocks, every enabled thread may continue. If T_i comes to l_mod several times, each pass is treated like this, with
// the passes before uninterrupted ("processed separately with respect to the whole trace prefix").
//
// States are matched without clocks, as in state_search.h. The argument made there holds for races of l_mod with T_j:
// T_j may do all that happens before its access, T_i then does l_mod, and T_j its access. Other races may be lost here;
// `affected` finds them.
//
// System:  thread_count(), status(t), pending(t), enabled(t), perform(t, alternative), outcome(), mark(), rewind(m),
//          fingerprint(with_clocks).
// Client:  ThreadId modified(), other(): of the current state, none if not there
//          int64_t fragment_position(ThreadId): where in l_mod its pending operation is, times 2, plus 1 if it is in
//          a function called from there; -1 if not in l_mod
//          bool approaches(ThreadId): stands where it takes a lock that it holds in l_mod
//          void reached(): T_i stands at or in l_mod
//          bool arrived(ThreadId): T_i stands at the entry; false ends the search (to restart it with more knowledge)
//          void touches(const Operation&): T_i is about to do this in l_mod
//          bool interesting(const Operation&): may depend on l_mod
//          bool relevant(const Operation&): is it a scheduling point; bool reduces(): may it say no
//          stepped, ended, beyond: as in partial_order.h; about_to, used_unsynchronised_read: as in state_search.h
#pragma once

#include <algorithm>
#include <bit>
#include <unordered_set>
#include <utility>
#include <vector>

#include "server/detect/finding.h"
#include "server/explore/explore.h"
#include "server/explore/partial_order.h"
#include "server/explore/thread_set.h"
#include "server/explore/visited.h"

namespace heddle::explore {

template <typename System, typename Client>
class PairwiseSearch {
 public:
  // `with_clocks`: states are the same only if their clocks are, too.
  PairwiseSearch(System& system, Client& client, const Reductions& reductions, Statistics& statistics,
                 bool with_clocks = false)
      : system_(system), client_(client), reductions_(reductions), statistics_(statistics), with_clocks_(with_clocks) {}

  // False if the client stopped it. When the running thread is blocked, every enabled thread may continue. These
  // choices multiply, and few of them matter: if they are too many, paths with few detours from the first thread come
  // first.
  bool run() {
    const auto start = system_.mark();
    const uint64_t states_before = statistics_.states;
    for (const uint32_t detours_max : {kAll, 0u, 1u, 4u, kAll}) {
      const bool first = detours_max == kAll && statistics_.states == states_before;
      states_max_ = first ? states_before + kSmall : ~uint64_t{0};
      detours_max_ = detours_max;
      cut_ = false;
      bool whole = run_all();
      if (std::exchange(unordered_, false)) {
        with_clocks_ = true;
        restart(start);
        whole = run_all();
      }
      if (!whole) return false;
      if (!cut_) return true;
      restart(start);
    }
    return true;
  }
  // A thread acted on a value of another one that nothing ordered.
  bool with_clocks() const { return with_clocks_; }

  detect::Schedule schedule() const {
    detect::Schedule result;
    for (uint32_t n = 0; n < performed_; ++n) {
      if (nodes_[n].current != kStop) result.push_back({ThreadId(nodes_[n].current), nodes_[n].alternative});
    }
    return result;
  }

 private:
  using ThreadId = machine::ThreadId;
  using Operation = machine::Operation;

  static constexpr uint32_t kStop = kThreadsMax;  // the choice that the moving thread moves no further
  static constexpr uint32_t kAll = ~0u;
  static constexpr uint64_t kSmall = 20'000;  // states of a search that needs no order
  static constexpr uint32_t kForcedMax = 1000;
  static constexpr uint32_t kRoundMax = 200;     // steps of a waiting loop, until it is known as one
  static constexpr uint32_t kRoundsFrom = 2048;  // steps: a longer path may be a non-progress cycle
  static constexpr uint32_t kMoveMax = 5000;     // steps in a row without an interesting operation

  // What the strategy knows in addition to the machine.
  struct Strategy {
    uint32_t running = 0;      // the thread that did the last step
    uint32_t moving = kStop;   // the further thread whose prefix is being chosen
    uint32_t moved = 0;        // its steps since the last interesting one
    int64_t position = -1;     // in l_mod, of T_i's last step there; -1: at the entry or outside
    uint32_t detours = 0;      // times that another than the first thread continued when the running one was blocked
    bool reached = false;      // T_i has been at l_mod on this path
    bool approached = false;   // T_i has taken the lock on its way to l_mod
    bool interrupted = false;  // another thread ran although T_i was enabled in l_mod
    bool closed = false;       // that was in an earlier pass through l_mod: the rest is not preempted
    ThreadSet stopped;         // further threads that wait until T_i has left l_mod

    void begin_again() {
      stopped = {};
      moving = kStop;
      moved = 0;
      position = -1;
      approached = false;
      closed |= interrupted;
      interrupted = false;
    }
  };

  struct Node {
    decltype(std::declval<System>().mark()) mark;
    ThreadSet choices;  // not tried yet
    Strategy strategy;  // before the step
    uint32_t current = 0, alternative = 0, alternatives = 1;
    uint64_t outcomes = 0;  // see following()
    uint32_t first = 0;     // the choice that was tried first
    bool may_stop = false;  // kStop not tried yet
    bool blocked = false;   // the running thread is not enabled: every enabled thread may run
    bool open = false;      // T_i stands at or in l_mod and is enabled
    uint64_t state = 0;     // with the strategy, without clocks
    uint32_t repeated = 0;  // steps in a row that led to states of this path
  };

  const Operation& pending(uint32_t thread) { return system_.pending(ThreadId(thread)); }
  void begin_alternatives(Node& node) {
    const Operation& operation = pending(node.current);
    node.alternatives = operation.alternatives;
    node.outcomes = outcomes_of(operation);
    node.alternative = following(node.outcomes, 0);
  }
  bool exists(ThreadId thread) const { return thread.valid() && thread.value < kThreadsMax; }

  void restart(const decltype(std::declval<System>().mark())& start) {
    system_.rewind(start);
    nodes_.clear();
    on_path_.clear();
    next_ = {};
    visited_.clear();
    forced_ = 0;
  }

  bool run_all() {
    bool on = open();
    while (true) {
      while (on) on = step() && open();
      if (stopped_ || unordered_) return false;
      if (statistics_.states > states_max_) {
        cut_ = true;
        return true;
      }
      if (!backtrack()) return true;
      on = true;
    }
  }

  // Decide what can come next in the current state. False if the path ends here.
  bool open() {
    ++statistics_.states;
    const uint32_t threads = system_.thread_count();
    if (threads > kThreadsMax || nodes_.size() >= kStepsMax) {
      client_.beyond(threads > kThreadsMax ? Beyond::Threads : Beyond::Steps);
      return false;
    }
    if (nodes_.size() >= kRoundsFrom && std::has_single_bit(nodes_.size())) {
      if constexpr (requires { client_.cycle_closed(); })
        if (client_.cycle_closed()) return false;
    }
    Node node;
    node.strategy = next_;
    ThreadSet enabled;
    for (uint32_t thread = 0; thread < threads; ++thread) {
      if (system_.enabled(ThreadId(thread))) enabled.add(thread);
    }
    if (enabled.empty()) {
      ++statistics_.executions;
      client_.ended(PathEnd::Stuck);
      return false;
    }
    if (!decide(node, enabled)) return false;
    force(node, enabled);
    if (reductions_.state_matching && !enter_state(node, enabled)) {
      ++statistics_.redundant;
      return false;
    }
    if (node.may_stop) {
      node.may_stop = false;
      node.current = kStop;
    } else {
      node.current = node.choices.first();
      const uint32_t preferred = preferred_;
      if (preferred < kThreadsMax && node.choices.has(preferred)) node.current = preferred;
      node.first = node.current;
      node.choices.remove(node.current);
      begin_alternatives(node);
    }
    if (!node.choices.empty() || node.alternatives > 1) {
      node.mark = system_.mark();
    }
    nodes_.push_back(node);
    return true;
  }

  // False: the state was met before. What follows is the same, with the same races (state_search.h). Threads that try
  // locks and yield to each other come back to a state for ever.
  bool enter_state(Node& node, const ThreadSet& enabled) {
    Strategy strategy = node.strategy;
    strategy.detours = 0;  // there were fewer the first time, and so more was left to try
    node.state = key(system_.state_hash(), enabled, strategy);
    if (on_path_.contains(node.state)) {
      if (running_thread_cycles(node)) return true;
      if constexpr (requires { client_.cycle_closed(); }) client_.cycle_closed();  // is there a way out?
      return false;
    }
    uint64_t known = node.state;
    if (with_clocks_ || detours_max_ != kAll)
      known = key(with_clocks_ ? system_.fingerprint(true) : system_.state_hash(), enabled,
                  detours_max_ == kAll ? strategy : node.strategy);
    if (!visited_.insert(known)) return false;
    on_path_.insert(node.state);
    return true;
  }

  // The running thread has come back to the state by itself. It continues until the machine sees that it waits.
  bool running_thread_cycles(Node& node) const {
    const uint32_t thread = node.strategy.running;
    if (node.may_stop || !node.choices.has(thread) || nodes_.back().repeated >= kRoundMax) return false;
    for (size_t n = nodes_.size(); n-- > 0 && nodes_.size() - n <= kRoundMax && nodes_[n].current == thread;) {
      if (nodes_[n].state != node.state) continue;
      node.repeated = nodes_.back().repeated + 1;
      node.choices = {};
      node.choices.add(thread);
      return true;
    }
    return false;
  }

  // If several threads are enabled, one whose next operation is no scheduling point runs at once: its order matters to
  // nothing relevant. So does a thread that ends, unless the process may end, or it is T_j and T_i is the first thread.
  void force(Node& node, const ThreadSet& enabled) {
    if (node.choices.count() < 2 || node.may_stop || forced_ >= kForcedMax) {
      forced_ = 0;
      return;
    }
    bool process_ends = false;
    for_each(enabled,
             [&](uint32_t thread) { process_ends |= pending(thread).kind == machine::OperationKind::ProcessExit; });
    uint32_t first = kThreadsMax;
    for_each(node.choices, [&](uint32_t thread) {
      if (first != kThreadsMax) return;
      const Operation& operation = pending(thread);
      const bool ends = operation.kind == machine::OperationKind::ThreadExit && !process_ends && client_.reduces() &&
                        !end_matters(thread);
      if (ends || !client_.relevant(operation)) first = thread;
    });
    if (first == kThreadsMax) return;
    node.choices = {};
    node.choices.add(first);
    ++forced_;
  }

  // The process ends with the first thread: only its pairs show for which threads it no longer waits.
  bool end_matters(uint32_t thread) const {
    return client_.modified() == ThreadId(0) && client_.other() == ThreadId(thread);
  }

  // The enabled threads show whether a waiting loop may be left.
  uint64_t key(uint64_t hash, const ThreadSet& enabled, const Strategy& strategy) const {
    const auto mix = [&](uint64_t value) {
      hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
      hash ^= hash >> 32;
    };
    mix(strategy.running | uint64_t{strategy.moving} << 16 | uint64_t{strategy.reached} << 32 |
        uint64_t{strategy.approached} << 33 | uint64_t{strategy.interrupted} << 34 | uint64_t{strategy.closed} << 35);
    mix(static_cast<uint64_t>(strategy.position));
    mix(strategy.moved | uint64_t{strategy.detours} << 32);
    mix(enabled.word(0));
    mix(enabled.word(1));
    mix(strategy.stopped.word(0));
    mix(strategy.stopped.word(1));
    return hash;
  }

  // The end of a wait, of a barrier or of an initialiser stands where it began, and belongs to the same pass.
  static bool ends_operation(machine::OperationKind kind) {
    using machine::OperationKind;
    return kind == OperationKind::Wake || kind == OperationKind::FutexReturn || kind == OperationKind::BarrierLeave ||
           kind == OperationKind::OnceLeave;
  }

  // False if the client ends the search.
  bool decide(Node& node, const ThreadSet& enabled) {
    Strategy& s = node.strategy;
    const ThreadId modified = client_.modified(), other = client_.other();
    const bool lives = exists(modified) && system_.status(modified) != machine::ThreadStatus::Ended;
    const int64_t position = lives ? client_.fragment_position(modified) : -1;
    preferred_ = kThreadsMax;
    if (position >= 0) client_.reached();

    // Back at or before where it was: T_i goes through l_mod once more.
    const bool still_there = position == s.position && (position & 1) != 0;
    const bool comes_back = position >= 0 && ends_operation(pending(modified.value).kind);
    const bool inside = s.position >= 0 && (position > s.position || still_there || comes_back);
    const bool entry = position >= 0 && !inside;
    const bool approach = lives && position < 0 && client_.approaches(modified);
    if ((s.position >= 0 && !inside) || (approach && s.approached)) s.begin_again();
    const bool opens = !s.closed && (entry || approach || inside);
    node.open = opens && enabled.has(modified.value);
    if (entry && opens) {
      if (!client_.arrived(modified)) {
        stopped_ = true;
        return false;
      }
      s.reached = true;
    }
    if (opens && !inside) {
      s.reached |= approach;
      if (offer_move(node, enabled, modified, other)) return true;
    }
    if (opens)
      choose_at_fragment(node, enabled);
    else if (!s.reached && lives && enabled.has(modified.value))
      node.choices.add(modified.value);
    else
      continue_running(node, enabled);
    return true;
  }

  // T_i stands at l_mod, or inside: it and T_j may act.
  void choose_at_fragment(Node& node, const ThreadSet& enabled) {
    const ThreadId modified = client_.modified(), other = client_.other();
    const bool other_runs = exists(other) && enabled.has(other.value), modified_runs = enabled.has(modified.value);
    if (modified_runs) node.choices.add(modified.value);
    if (other_runs) node.choices.add(other.value);
    // While T_i waits for a third thread, T_j may stay before its end: the process may end before it does.
    const bool ends =
        other_runs && end_matters(other.value) && pending(other.value).kind == machine::OperationKind::ThreadExit;
    if (!modified_runs && (!enabled.has(node.strategy.running) || ends)) node.choices = enabled;
    if (node.choices.empty()) node.choices = enabled;
    preferred_ = modified.value;
  }

  // The thread that runs continues. Where it cannot, another one is a detour.
  void continue_running(Node& node, const ThreadSet& enabled) {
    const Strategy& s = node.strategy;
    const bool exits =
        enabled.has(s.running) && enabled.count() > 1 && pending(s.running).kind == machine::OperationKind::ProcessExit;
    if (enabled.has(s.running) && !exits) {
      node.choices.add(s.running);
    } else {
      ThreadSet others = enabled;
      if (exits) others.remove(s.running);
      preferred_ = others.first();
      if (s.detours < detours_max_) {
        node.choices = enabled;
        node.blocked = true;
      } else {
        node.choices.add(preferred_);
        cut_ |= enabled.count() > 1;
      }
    }
  }

  // The next further thread that can move while T_i waits at l_mod. False if there is none.
  bool offer_move(Node& node, const ThreadSet& enabled, ThreadId modified, ThreadId other) {
    Strategy& s = node.strategy;
    ThreadSet further = enabled - s.stopped;
    further.remove(modified.value);
    if (exists(other)) further.remove(other.value);
    const uint32_t moving = further.first();
    if (moving == kThreadsMax) {
      s.moving = kStop;
      return false;
    }
    const bool fresh = s.moving != moving;
    if (fresh) s.moved = 0;
    s.moving = moving;
    const bool exits = pending(moving).kind == machine::OperationKind::ProcessExit;
    if (exits || s.moved >= kMoveMax) {
      node.may_stop = true;
      return true;
    }
    const bool interesting = client_.interesting(pending(moving));
    if (interesting) s.moved = 0;
    node.may_stop = fresh || interesting;
    node.choices.add(moving);
    return true;
  }

  // Do the newest node's current choice. False if the path ends there.
  bool step() {
    Node& node = nodes_.back();
    performed_ = static_cast<uint32_t>(nodes_.size());
    next_ = node.strategy;
    if (node.current == kStop) {
      next_.stopped.add(next_.moving);
      next_.moving = kStop;
      next_.moved = 0;
      return true;
    }
    const ThreadId thread(node.current);
    if (node.blocked && node.current != node.first) ++next_.detours;
    if (node.open && thread != client_.modified()) next_.interrupted = true;
    if (node.current == next_.moving) ++next_.moved;
    next_.running = node.current;
    if (thread == client_.modified()) {
      const int64_t position = client_.fragment_position(thread);
      const bool approaches = position < 0 && client_.approaches(thread);
      if (position >= 0 || approaches) client_.touches(system_.pending(thread));
      next_.position = position;
      next_.approached |= approaches;
    }
    if constexpr (requires { client_.about_to(thread); }) client_.about_to(thread);
    const machine::Outcome outcome = system_.perform(thread, node.alternative);
    ++statistics_.events;
    if (!client_.stepped(thread)) {
      stopped_ = true;
      return false;
    }
    if (outcome == machine::Outcome::Running) {
      if constexpr (requires { client_.used_unsynchronised_read(thread); })
        unordered_ = !with_clocks_ && client_.used_unsynchronised_read(thread);
      return !unordered_;
    }
    ++statistics_.executions;
    client_.ended(outcome == machine::Outcome::Finished ? PathEnd::Finished : PathEnd::Faulted);
    return false;
  }

  bool backtrack() {
    while (!nodes_.empty()) {
      Node& node = nodes_.back();
      performed_ = static_cast<uint32_t>(nodes_.size()) - 1;
      if (const uint32_t next = following(node.outcomes, node.alternative + 1); next < node.alternatives) {
        node.alternative = next;
        system_.rewind(node.mark);
        return true;
      }
      if (!node.choices.empty()) {
        system_.rewind(node.mark);
        node.current = node.choices.first();
        node.choices.remove(node.current);
        begin_alternatives(node);
        return true;
      }
      if (node.repeated == 0) on_path_.erase(node.state);
      nodes_.pop_back();
    }
    return false;
  }

  System& system_;
  Client& client_;
  const Reductions& reductions_;
  Statistics& statistics_;
  std::vector<Node> nodes_;
  uint32_t performed_ = 0;
  Strategy next_;
  uint32_t preferred_ = kThreadsMax;
  uint32_t forced_ = 0;  // choices in a row that were none
  VisitedSet visited_;
  std::unordered_set<uint64_t> on_path_;  // states of the path
  uint32_t detours_max_ = 0;
  uint64_t states_max_ = 0;
  bool with_clocks_ = false;
  bool unordered_ = false;  // states have to be compared with clocks
  bool cut_ = false;
  bool stopped_ = false;
};

}  // namespace heddle::explore
