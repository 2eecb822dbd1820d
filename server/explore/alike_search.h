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
// the same, up to a permutation of threads of one kind. Names matter in three places. Main joins them: it does nothing
// else from its first join to its last (seen on each path; else NotAlike), so how far it is decides nothing, and it
// continues when all have ended. Threads ask who they are: NotAlike. Their memory has addresses of their own: then memory
// or slots differ, and so do the hashes. Races: state_search.h. What a thread did in its last step is in its hash.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "server/detect/finding.h"
#include "server/explore/explore.h"
#include "server/explore/search_path.h"
#include "server/explore/thread_choice.h"
#include "server/explore/visited.h"
#include "server/machine/object.h"

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
      if (!backtrack()) return largest_kind_ >= kKindMin ? end_ : AlikeEnd::NotAlike;
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
  using OperationKind = machine::OperationKind;

  static constexpr uint32_t kStreakMax = 1000;
  static constexpr size_t kRoundMax = 200;

  struct Node {
    decltype(std::declval<System>().mark()) mark;
    ThreadSet left;  // has to be chosen yet
    uint32_t current = 0, alternative = 0, alternatives = 1;
    uint64_t outcomes = 0, state = 0;
    uint32_t streak = 0;
    bool singleton = false, marked = false;
  };

  const Operation& pending(uint32_t thread) { return system_.pending(ThreadId(thread)); }

  // Main creates the threads and joins them; nothing else depends on who a thread is.
  bool distinguishes(uint32_t thread) {
    switch (pending(thread).kind) {
      case OperationKind::Create: return thread != 0;
      case OperationKind::Join: return thread != 0 || pending(thread).object.bits == machine::kAllOthers;
      case OperationKind::Detach:
      case OperationKind::Cancel:
      case OperationKind::DataChoice:
      case OperationKind::Sleep: return true;
      default: return pending(thread).section != machine::AtomicSection::None || pending(thread).cancellable;
    }
  }

  bool main_joins() {
    return system_.status(ThreadId(0)) != machine::ThreadStatus::Ended && pending(0).kind == OperationKind::Join;
  }

  bool open(uint32_t streak) {
    ++statistics_.states;
    const uint32_t threads = system_.thread_count();
    if (threads > kThreadsMax || nodes_.size() >= kStepsMax) {
      client_.beyond(threads > kThreadsMax ? Beyond::Threads : Beyond::Steps);
      return false;
    }
    ThreadSet enabled;
    for (uint32_t thread = 0; thread < threads; ++thread) {
      if (system_.status(ThreadId(thread)) != machine::ThreadStatus::Ended && distinguishes(thread)) return give_up();
      if (system_.enabled(ThreadId(thread))) enabled.add(thread);
    }
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

  // A thread whose next operation commutes with all that others can do. Where main waits for threads in a row, no thread
  // notices when one of them ends.
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
    for (const uint64_t name : names_)
      if (name != 0)
        largest_kind_ = std::max(largest_kind_, static_cast<uint32_t>(std::count(names_.begin(), names_.end(), name)));
  }

  void choose(Node& node) {
    uint32_t next = kThreadsMax;
    for_each(node.left, [&](uint32_t thread) {
      if (next == kThreadsMax && pending(thread).kind != OperationKind::ProcessExit) next = thread;
    });
    node.current = next == kThreadsMax ? node.left.first() : next;
    node.left.remove(node.current);
    const Operation& operation = pending(node.current);
    node.alternatives = operation.alternatives;
    node.outcomes = outcomes_of(operation);
    node.alternative = following(node.outcomes, 0);
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
    if (joins) joined_ = true;
    if (system_.machine().asks_identity() || !keeps_rules(node.current, joins)) return give_up();
    if (outcome == machine::Outcome::Running) {
      if (!client_.used_unsynchronised_read(thread)) return true;
      end_ = AlikeEnd::UnorderedValues;
      return false;
    }
    end(outcome == machine::Outcome::Finished ? PathEnd::Finished : PathEnd::Faulted);
    return false;
  }

  // From its first join on, main only joins as long as there is a thread to be joined, and looks at nothing but its own
  // variables, which no other thread writes.
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
    for (uint32_t other = 1; other < system_.thread_count(); ++other)
      if (system_.status(ThreadId(other)) != machine::ThreadStatus::Ended) return false;
    return true;
  }

  bool give_up() {
    end_ = AlikeEnd::NotAlike;
    return false;
  }

  void end(PathEnd how) {
    ++statistics_.executions;
    client_.ended(how);
  }

  bool backtrack() {
    while (!nodes_.empty()) {
      Node& node = nodes_.back();
      if (const uint32_t next = following(node.outcomes, node.alternative + 1); next < node.alternatives) {
        node.alternative = next;
        system_.rewind(node.mark);
        return true;
      }
      if (!node.left.empty()) {
        system_.rewind(node.mark);
        choose(node);
        return true;
      }
      nodes_.pop_back();
    }
    return false;
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
