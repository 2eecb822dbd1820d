#include "benchmarks/choices/state_graph.h"

#include <chrono>
#include <map>
#include <tuple>
#include <unordered_map>

namespace heddle::bench {
namespace {

using machine::Machine;
using machine::Operation;
using machine::OperationKind;
using machine::ThreadId;
using machine::ThreadStatus;

machine::Options options() {
  machine::Options result;
  result.plain_accesses = machine::PlainAccesses::Visible;
  result.detect_races = result.check_leaks = false;
  return result;
}

class Builder {
 public:
  Builder(const machine::ImagePtr& image, const Mark& mark) : machine_(image, options()), mark_(mark) {}

  StateGraph build(uint32_t states_max, double seconds) {
    const auto begin = std::chrono::steady_clock::now();
    if (machine_.outcome() == machine::Outcome::Running) enter();
    for (uint64_t n = 0; !frames_.empty(); ++n) {
      if (n % 256 == 0 && std::chrono::steady_clock::now() - begin > std::chrono::duration<double>(seconds))
        graph_.complete = false;
      if (graph_.states.size() > states_max) graph_.complete = false;
      if (!graph_.complete) break;
      step();
    }
    find_conflicts();
    return std::move(graph_);
  }

 private:
  struct Frame {
    uint32_t state = 0, thread = 0, alternative = 0;
    machine::Mark mark;
  };

  // The number of the state in which the machine stands; a new one is explored next.
  uint32_t enter() {
    const uint32_t threads = machine_.thread_count();
    if (threads > StateGraph::kThreadsMost) graph_.complete = false;
    graph_.threads = std::max(graph_.threads, threads);
    StateGraph::State state;
    for (uint32_t t = 0; t < threads && t < StateGraph::kThreadsMost; ++t) {
      const ThreadStatus status = machine_.status(ThreadId(t));
      if (status != ThreadStatus::Ended) state.living |= 1u << t;
      if (machine_.enabled(ThreadId(t))) state.enabled |= 1u << t;
    }
    uint64_t hash = machine_.fingerprint(false);
    if (hash == 0) graph_.complete = false;
    hash = (hash ^ state.enabled) * 0x9e3779b97f4a7c15ull;
    hash ^= hash >> 32;
    const auto [known, is_new] = numbers_.try_emplace(hash, static_cast<uint32_t>(graph_.states.size()));
    if (!is_new) return known->second;
    for (uint32_t t = 0; t < threads && t < StateGraph::kThreadsMost; ++t) {
      const bool pending = machine_.status(ThreadId(t)) == ThreadStatus::Pending;
      const Operation* operation = pending ? &machine_.pending(ThreadId(t)) : nullptr;
      const bool plain =
          operation && (operation->kind == OperationKind::Read || operation->kind == OperationKind::Write);
      state.plain.push_back(plain ? access_of(*operation) : StateGraph::kNone);
      state.marks.push_back(plain ? mark_(machine_, ThreadId(t)) : 0);
    }
    graph_.states.push_back(std::move(state));
    frames_.push_back({known->second, 0, 0, machine_.mark()});
    return known->second;
  }

  void step() {
    const size_t at = frames_.size() - 1;
    Frame& frame = frames_[at];
    const uint32_t enabled = graph_.states[frame.state].enabled;
    while (frame.thread < StateGraph::kThreadsMost && (enabled >> frame.thread & 1) == 0) ++frame.thread;
    if (frame.thread == StateGraph::kThreadsMost) {
      graph_.order.push_back(frame.state);
      frames_.pop_back();
      return;
    }
    machine_.rewind(frame.mark);
    const Operation operation = machine_.pending(ThreadId(frame.thread));
    const uint32_t alternative = machine::next_alternative(operation, frame.alternative);
    if (alternative >= operation.alternatives) {
      ++frame.thread;
      frame.alternative = 0;
      return;
    }
    frame.alternative = alternative + 1;
    const uint32_t from = frame.state;
    StateGraph::Step step{frame.thread, StateGraph::kNone, access_of(operation)};
    if (machine_.perform(ThreadId(step.thread), alternative) == machine::Outcome::Running) step.target = enter();
    graph_.states[from].steps.push_back(step);
  }

  uint32_t access_of(const Operation& operation) {
    const explore::Footprint touched = explore::footprint(operation);
    for (uint32_t n = 0; n < touched.count; ++n) {
      const explore::TouchedRange& range = touched.ranges[n];
      if (range.space != explore::TouchSpace::Memory) continue;
      const auto key = std::make_tuple(range.object, range.begin, range.end, range.mode, operation.at);
      const auto [known, is_new] = accesses_.try_emplace(key, static_cast<uint32_t>(graph_.accesses.size()));
      if (is_new) graph_.accesses.push_back({range, operation.at});
      return known->second;
    }
    return StateGraph::kNone;
  }

  void find_conflicts() {
    const auto& all = graph_.accesses;
    graph_.conflicts.assign(all.size(), std::vector<bool>(all.size()));
    for (size_t a = 0; a < all.size(); ++a)
      for (size_t b = 0; b < all.size(); ++b)
        graph_.conflicts[a][b] =
            all[a].range.overlaps(all[b].range) && !explore::commute(all[a].range.mode, all[b].range.mode);
  }

  Machine machine_;
  const Mark& mark_;
  StateGraph graph_;
  std::vector<Frame> frames_;
  std::unordered_map<uint64_t, uint32_t> numbers_;
  std::map<std::tuple<uint32_t, uint32_t, uint32_t, explore::TouchMode, machine::CodeAddress>, uint32_t> accesses_;
};

}  // namespace

StateGraph build_state_graph(const machine::ImagePtr& image, uint32_t states_max, double seconds, const Mark& mark) {
  return Builder(image, mark).build(states_max, seconds);
}

}  // namespace heddle::bench
