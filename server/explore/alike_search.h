// Every state once, up to the names of threads that are alike: workers of one pool that main creates at one place and
// joins in a row.
//
// In:      a System in its first state; a Client; the rules of state_search.h.
// Out:     every error and every end is met, up to a permutation of such threads. The Client sees each step and each
//          end of a path.
// Cost:    8 bytes a state; a step, and a hash of all threads after it. No sleep sets, no persistent sets: a state
//          that is met again stands for one with other names.
// Owns:    its stack of choices and the set of states.
// Threads: the thread that uses the System.
// Fails:   run() says why it stopped; NotAlike: the program distinguishes its threads, or has few of a kind.
// From:    Ip, Dill 1996, Better Verification Through Symmetry, section 4 (scalar sets). Differs: what a state has of
//          names is left out of its hash, instead of choosing a representative.
//
// Why nothing is lost. Let two states have equal hashes: memory and locks are the same, and the threads are about to do
// the same, up to a permutation of threads of one kind. Names matter in four places. Main joins them: it does nothing
// else from its first join to its last, and joins all (seen on each path; else NotAlike), so how far it is decides
// nothing, and it continues when all have ended. Threads ask who they are: NotAlike. Threads join others,
// whom a value names: NotAlike. They have memory of their own. Where a slot has its address, slots differ, and so do
// the hashes; what is in their thread_local variables is in their hashes, and where another place may have the address
// of one: NotAlike. Races: state_search.h. What a thread did in its last step is in its hash.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "server/detect/finding.h"
#include "server/explore/explore.h"
#include "server/explore/search_path.h"
#include "server/explore/thread_choice.h"
#include "server/explore/visited.h"
#include "server/machine/memory/object.h"

namespace heddle::explore {

enum class AlikeEnd : uint8_t { Complete, Stopped, TooManyStates, UnorderedValues, NotAlike };

template <typename System, typename Client>
class AlikeSearch {
 public:
  static constexpr uint32_t kKindMin = 4;  // threads of a kind; of fewer there are few permutations

  AlikeSearch(System& system, Client& client, Statistics& statistics, uint64_t states_max)
      : system_(system), client_(client), statistics_(statistics), states_max_(states_max) {}

  AlikeEnd run() {
    bool on = open(0);
    while (true) {
      while (on) on = step() && open(next_streak_);
      if (end_ != AlikeEnd::Complete) return end_;
      if (!go_back(system_, nodes_, [this](Node& node) { choose(node); }))
        return largest_kind_ < kKindMin || asks_identity() ? AlikeEnd::NotAlike : end_;
      on = true;
    }
  }

  detect::Schedule schedule() const { return schedule_of(nodes_); }

 private:
  using ThreadId = machine::ThreadId;
  using Operation = machine::Operation;
  using OperationKind = machine::OperationKind;

  static constexpr size_t kStatesUntilAlike = 5'000;  // threads with arguments of their own never are
  static constexpr uint32_t kStreakMax = 1000;
  static constexpr size_t kRoundMax = 200;

  struct Node {
    decltype(std::declval<System>().mark()) mark;
    ThreadSet left;  // has to be chosen yet
    uint32_t current = 0, alternative = 0, alternatives = 1;
    uint64_t outcomes = 0, state = 0;
    uint32_t streak = 0;
    bool singleton = false, marked = false, joined = false;
  };

  const Operation& pending(uint32_t thread) { return system_.pending(ThreadId(thread)); }

  // A handle says who a thread is. Main alone joins, one thread after the other.
  bool distinguishes(uint32_t thread) {
    const Operation& operation = pending(thread);
    if (operation.kind != OperationKind::Join) return false;
    return thread != 0 || operation.size != 0 || operation.object.bits == machine::kAllOthers;  // a size: it only tries
  }

  bool main_joins() {
    return system_.status(ThreadId(0)) != machine::ThreadStatus::Ended && pending(0).kind == OperationKind::Join;
  }

  bool open(uint32_t streak) {
    ++statistics_.states;
    const uint32_t threads = system_.thread_count();
    if (!within_limits(client_, threads, nodes_.size())) return false;
    for (uint32_t thread = 0; thread < threads; ++thread)
      if (system_.status(ThreadId(thread)) != machine::ThreadStatus::Ended && distinguishes(thread)) return give_up();
    const ThreadSet enabled = enabled_threads(system_, threads);
    if (enabled.empty()) {
      end(PathEnd::Stuck);
      return false;
    }
    Node node;
    node.streak = streak;
    const uint32_t alone = streak < kStreakMax ? alone_among(enabled) : kThreadsMax;
    if (alone != kThreadsMax) {
      node.singleton = true;
      node.left.add(alone);
    } else if (!enter(node, enabled)) {
      ++statistics_.redundant;
      return false;
    }
    choose(node);
    nodes_.push_back(node);
    return true;
  }

  // A thread whose next operation commutes with all that others can do. Where main waits for threads in a row, no
  // thread notices when one of them ends.
  uint32_t alone_among(const ThreadSet& enabled) {
    const OperationKind of_main = enabled.has(0) ? pending(0).kind : OperationKind::Yield;
    if (of_main == OperationKind::Create || of_main == OperationKind::Join) return 0;
    uint32_t ending = kThreadsMax;
    if (joined_ && main_joins())
      for_each(enabled, [&](uint32_t thread) {
        if (pending(thread).kind == OperationKind::ThreadExit) ending = thread;
      });
    return ending != kThreadsMax ? ending : singleton_among(system_, client_, enabled);
  }

  // False: it was met before. Of threads that are about to do the same one is chosen.
  bool enter(Node& node, const ThreadSet& enabled) {
    node.state = system_.machine().hash_without_names(names_, main_joins());
    note_kinds();
    if (!visited_.insert(node.state)) {
      if (met_lately(nodes_, node.state, kRoundMax)) client_.cycle_closed();
      return false;
    }
    if (largest_kind_ < kKindMin && visited_.size() > kStatesUntilAlike) return give_up();
    if (visited_.size() > states_max_) {
      end_ = AlikeEnd::TooManyStates;
      return false;
    }
    seen_.clear();
    for_each(enabled, [&](uint32_t thread) {
      if (std::find(seen_.begin(), seen_.end(), names_[thread]) != seen_.end()) return;
      seen_.push_back(names_[thread]);
      node.left.add(thread);
    });
    return true;
  }

  // How many threads are about to do the same.
  void note_kinds() {
    if (largest_kind_ >= kKindMin) return;
    for (uint32_t thread = 0; thread < names_.size(); ++thread)
      if (names_[thread] != 0 && system_.status(ThreadId(thread)) != machine::ThreadStatus::Ended)
        largest_kind_ =
            std::max(largest_kind_, static_cast<uint32_t>(std::count(names_.begin(), names_.end(), names_[thread])));
  }

  void choose(Node& node) {
    const uint32_t next = running_or_first(system_, node.left, kThreadsMax);
    take(node, next, pending(next));
    if (!node.marked && (!node.left.empty() || node.alternatives > 1)) {
      node.mark = system_.mark();
      node.marked = true;
    }
  }

  bool step() {
    Node& node = nodes_.back();
    next_streak_ = node.singleton ? node.streak + 1 : 0;
    const ThreadId thread(node.current);
    const bool joins = node.current == 0 && pending(0).kind == OperationKind::Join;
    client_.about_to(thread);
    const machine::Outcome outcome = system_.perform(thread, node.alternative);
    ++statistics_.events;
    if (!client_.stepped(thread)) {
      end_ = AlikeEnd::Stopped;
      return false;
    }
    node.joined = joins;
    joined_ = joined_ || joins;
    if (asks_identity() || !keeps_rules(node.current, joins)) return give_up();
    if (outcome == machine::Outcome::Running) {
      if (!client_.used_unsynchronised_read(thread)) return true;
      end_ = AlikeEnd::UnorderedValues;
      return false;
    }
    end(outcome == machine::Outcome::Finished ? PathEnd::Finished : PathEnd::Faulted);
    return false;
  }

  // From its first join on, main only joins until it has joined all, and looks at nothing but its own variables, which
  // no other thread writes.
  bool keeps_rules(uint32_t thread, bool joins) {
    accesses_.clear();
    system_.machine().recent_accesses(ThreadId(thread), accesses_);
    bool own = true;
    for (const auto& access : accesses_) {
      const bool of_main =
          access.at.object() >= machine::first_stack_object(0) && access.at.object() < machine::first_heap_object(1);
      if (thread != 0 && of_main && access.write) return false;
      own = own && of_main && !access.write;
    }
    if (thread != 0 || !joins) return true;
    if (main_joins()) return own;
    const auto joined = std::count_if(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.joined; });
    return joined + 1 == system_.thread_count();
  }

  bool asks_identity() const { return system_.machine().asks_identity(); }

  bool give_up() {
    end_ = AlikeEnd::NotAlike;
    return false;
  }

  void end(PathEnd how) {
    ++statistics_.executions;
    client_.ended(how);
  }

  System& system_;
  Client& client_;
  Statistics& statistics_;
  const uint64_t states_max_;
  std::vector<Node> nodes_;
  VisitedSet visited_;
  std::vector<uint64_t> names_, seen_;
  std::vector<machine::Machine::PlainAccess> accesses_;
  uint32_t next_streak_ = 0, largest_kind_ = 0;
  bool joined_ = false;  // main has begun to join, on some path
  AlikeEnd end_ = AlikeEnd::Complete;
};

}  // namespace heddle::explore
