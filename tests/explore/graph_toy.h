// A tiny language of atomic accesses for graph_search.h and graph_enumerator.h.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "server/explore/graph_search.h"

namespace heddle::explore::toy {

using graph::EventId;
using graph::Kind;
using graph::Label;
using graph::LocationId;
using graph::MemoryModel;
using graph::Order;
using graph::Part;

enum class Act : uint8_t {
  Load,      // r = x
  Store,     // x = k
  StoreSum,  // x = r + k
  Add,       // r = x; x += k
  Exchange,  // r = x; x = k
  Compare,   // r = x; if r == expected: x = k
  Fence,
  Lock,        // waits until x == 0; x = 1
  Unlock,      // x = 0
  Await,       // waits until x == k
  Create,      // thread x begins
  Join,        // waits until thread x has ended
  SkipIf,      // r == k: skip `count` statements
  SkipUnless,  // r != k: skip `count` statements
  AssertNot,   // r == k: the thread fails
  Pick,        // r = x; x = k, or x = k + 1: either
};

struct Statement {
  Act act;
  int x = 0;  // location
  int r = 0;  // register
  int k = 0;
  Order order = Order::Relaxed;
  int expected = 0;
  Order failure = Order::Relaxed;
  int count = 1;
  bool continues_own = false;
};

struct Script {
  std::vector<std::vector<Statement>> threads;
  bool created = false;  // all threads but the first begin when they are created
};

constexpr int kRegisters = 8;

// One thread of a script, apart from memory: what it does next, and what a value does to it.
class Walker {
 public:
  Walker(const std::vector<Statement>& code, bool created) : code_(&code), beginning_(created) { settle(); }

  bool ended() const { return !waiting_ && !beginning_ && at_ >= code_->size(); }
  bool beginning() const { return beginning_; }  // it waits for its creation
  int joins() const { return !beginning_ && at_ < code_->size() && now().act == Act::Join ? now().x : -1; }
  int creates() const { return !beginning_ && at_ < code_->size() && now().act == Act::Create ? now().x : -1; }
  bool syncs() const { return beginning_ || joins() >= 0 || creates() >= 0; }
  bool waiting() const { return waiting_; }
  // A lock that is free again is taken; a loop may see an old value as long as it likes.
  bool waits_for_newest() const { return waiting_ && now().act == Act::Lock; }
  uint32_t outcomes() const { return now().act == Act::Pick ? 2 : 1; }
  bool failed() const { return failed_; }
  bool reads() const {
    if (syncs()) return false;
    const Act act = now().act;
    return !storing_ && act != Act::Store && act != Act::StoreSum && act != Act::Unlock && act != Act::Fence;
  }
  bool writes() const { return !reads() && !syncs() && now().act != Act::Fence; }
  const int* registers() const { return registers_; }

  // The label of the next event; `value` is what it reads.
  Label label(int value) const {
    Label label;
    if (syncs()) label.kind = Kind::Sync;
    if (syncs()) return label;
    const Statement& s = now();
    label.location = {static_cast<uint32_t>(s.x)};
    label.order = s.order;
    if (s.act == Act::Fence) label.kind = Kind::Fence;
    if (s.act == Act::Fence) return label;
    label.kind = reads() ? Kind::Read : Kind::Write;
    const bool update = s.act == Act::Add || s.act == Act::Exchange || s.act == Act::Pick;
    if (update || (s.act == Act::Compare && (storing_ || value == s.expected)) ||
        (s.act == Act::Lock && (storing_ || value == 0)))
      label.part = Part::Update;
    else if (s.act == Act::Compare)
      label.part = Part::Failed;
    if (label.part == Part::Failed) label.order = s.failure;
    label.continues_own = label.kind == Kind::Write && s.continues_own;
    if (s.act == Act::Lock) label.order = Order::Acquire;
    if (s.act == Act::Unlock) label.order = Order::Release;
    return label;
  }
  int value_to_write(uint32_t outcome) const {
    const Statement& s = now();
    switch (s.act) {
      case Act::Pick: return s.k + static_cast<int>(outcome);
      case Act::Add: return registers_[s.r] + s.k;
      case Act::StoreSum: return registers_[s.r] + s.k;
      case Act::Lock: return 1;
      case Act::Unlock: return 0;
      default: return s.k;
    }
  }
  void step(int value) {
    if (beginning_) {
      beginning_ = false;
      settle();
      return;
    }
    const Statement& s = now();
    if (reads()) {
      const Part part = label(value).part;
      if (s.act == Act::Lock || s.act == Act::Await) {
        waiting_ = value != (s.act == Act::Lock ? 0 : s.k);
        if (waiting_) return;
      } else {
        registers_[s.r] = value;
      }
      if (part == Part::Update) {
        storing_ = true;
        return;
      }
    }
    storing_ = false;
    ++at_;
    settle();
  }

 private:
  const Statement& now() const { return (*code_)[at_]; }
  void settle() {
    while (!beginning_ && at_ < code_->size()) {
      const Statement& s = now();
      if (s.act == Act::SkipIf) {
        at_ += registers_[s.r] == s.k ? 1 + static_cast<size_t>(s.count) : 1;
      } else if (s.act == Act::SkipUnless) {
        at_ += registers_[s.r] == s.k ? 1 : 1 + static_cast<size_t>(s.count);
      } else if (s.act == Act::AssertNot) {
        failed_ = failed_ || registers_[s.r] == s.k;
        at_ = registers_[s.r] == s.k ? code_->size() : at_ + 1;
      } else {
        return;
      }
    }
  }

  const std::vector<Statement>* code_;
  size_t at_ = 0;
  bool beginning_ = false;
  bool storing_ = false, waiting_ = false, failed_ = false;
  int registers_[kRegisters] = {};
};

// The System of graph_search.h: walkers, and the values of all writes.
class GraphToy {
 public:
  explicit GraphToy(const Script& script) {
    for (const auto& thread : script.threads)
      state_.walkers.emplace_back(thread, script.created && !state_.walkers.empty());
    state_.creation.resize(script.threads.size(), graph::kInitial);
    values_.resize(script.threads.size());
    state_.lengths.resize(script.threads.size());
  }

  uint32_t thread_count() const { return static_cast<uint32_t>(state_.walkers.size()); }
  Turn turn(uint32_t thread) const {
    const Walker& walker = state_.walkers[thread];
    if (walker.beginning()) return state_.creation[thread] == graph::kInitial ? Turn::Ended : Turn::Ready;
    if (walker.joins() >= 0 && !state_.walkers[static_cast<size_t>(walker.joins())].ended()) return Turn::Waiting;
    return walker.waiting() ? Turn::Waiting : walker.ended() ? Turn::Ended : Turn::Ready;
  }
  Label pending(uint32_t thread) const {
    const Walker& walker = state_.walkers[thread];
    Label label = walker.label(0);
    if (walker.beginning()) label.source = state_.creation[thread];
    if (walker.joins() < 0) return label;
    const uint32_t other = static_cast<uint32_t>(walker.joins());
    if (!values_[other].empty()) label.source = EventId::make(other, static_cast<uint32_t>(values_[other].size()) - 1);
    return label;
  }
  Label pending_reading(uint32_t thread, EventId from) const { return state_.walkers[thread].label(value(from)); }
  uint32_t outcomes(uint32_t thread) const { return state_.walkers[thread].outcomes(); }
  bool may_wait(const graph::ExecutionGraph& graph, uint32_t thread) const {
    if (!state_.walkers[thread].waits_for_newest()) return true;
    const graph::Event& read = graph.last_of(thread);
    return graph.place_of(read.from) == graph.coherence(read.label.location).size();
  }
  void perform(uint32_t thread, EventId from, uint32_t outcome) {
    Walker& walker = state_.walkers[thread];
    if (walker.creates() >= 0) {
      state_.creation[static_cast<size_t>(walker.creates())] =
          EventId::make(thread, static_cast<uint32_t>(values_[thread].size()));
    }
    const int read = walker.reads() ? value(from) : 0;
    values_[thread].push_back(walker.writes() ? walker.value_to_write(outcome) : read);
    walker.step(read);
  }
  size_t mark() {
    for (size_t t = 0; t < values_.size(); ++t) state_.lengths[t] = values_[t].size();
    marks_.push_back(state_);
    return marks_.size() - 1;
  }
  void rewind(size_t mark) {
    state_ = marks_[mark];
    for (size_t t = 0; t < values_.size(); ++t) values_[t].resize(state_.lengths[t]);
    marks_.resize(mark);
  }

  int value(EventId write) const { return write == graph::kInitial ? 0 : values_[write.thread()][write.index()]; }
  const Walker& walker(uint32_t thread) const { return state_.walkers[thread]; }

 private:
  struct State {
    std::vector<Walker> walkers;
    std::vector<size_t> lengths;  // of values_
    std::vector<EventId> creation;
  };
  State state_;
  std::vector<std::vector<int>> values_;  // by thread and index: what was written
  std::vector<State> marks_;
};

}  // namespace heddle::explore::toy
