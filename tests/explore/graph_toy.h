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
  Input,       // r = the unknown input x
  Assume,      // r == k, or the thread waits for ever
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
  bool by_register = false;  // Compare: expects what the register `expected` has; Add: adds what the register k has
};

constexpr int kInputs = 2;
constexpr int kDomain = 3;  // an input is 0, 1 or 2
constexpr int kAssignments = 9;

struct Script {
  std::vector<std::vector<Statement>> threads;
  bool created = false;      // all threads but the first begin when they are created
  int inputs[kInputs] = {};  // known ones
};

// The values of the inputs for which something holds, as bits. Of numbers it holds always or never.
using Inputs = uint32_t;
constexpr Inputs kAllInputs = (1u << kAssignments) - 1;
constexpr Inputs equal(int a, int b) { return a == b ? kAllInputs : 0; }
constexpr bool is_open(Inputs holds) { return holds != 0 && holds != kAllInputs; }

constexpr int kRegisters = 8;

// One thread of a script, apart from memory: what it does next, and what a value does to it. Values are numbers, or
// what a number is for each of the inputs (graph_data.h); then a question that the inputs decide is an event of its
// own.
template <typename Value>
class BasicWalker {
 public:
  BasicWalker(const std::vector<Statement>& code, bool created, const Value* inputs)
      : code_(&code), inputs_(inputs), beginning_(created) {
    settle();
  }

  bool ended() const { return !waiting_ && !beginning_ && at_ >= code_->size(); }
  bool beginning() const { return beginning_; }  // it waits for its creation
  int joins() const { return !beginning_ && at_ < code_->size() && now().act == Act::Join ? now().x : -1; }
  int creates() const { return !beginning_ && at_ < code_->size() && now().act == Act::Create ? now().x : -1; }
  bool syncs() const { return beginning_ || joins() >= 0 || creates() >= 0; }
  bool waiting() const { return waiting_; }
  // A lock that is free again is taken; a loop may see an old value as long as it likes.
  bool waits_for_newest() const { return waiting_ && now().act == Act::Lock; }
  uint32_t outcomes() const { return now().act == Act::Pick || asks() ? 2 : 1; }
  bool asks() const {
    if (beginning_ || waiting_ || at_ >= code_->size()) return false;
    const Act act = now().act;
    return act == Act::SkipIf || act == Act::SkipUnless || act == Act::AssertNot || act == Act::Assume;
  }
  // The inputs for which the outcome of the question holds.
  Inputs holds(uint32_t outcome) const {
    const Inputs same = equal(registers_[now().r], Value(now().k));
    return outcome == yes() ? same : kAllInputs & ~same;
  }
  // The same of the next read, if it compares. Outcome 1: it is what was expected.
  Inputs holds_reading(const Value& value) const {
    return now().act == Act::Compare && !storing_ ? equal(value, expected()) : kAllInputs;
  }
  bool failed() const { return failed_; }
  bool reads() const {
    if (syncs() || asks()) return false;
    const Act act = now().act;
    return !storing_ && act != Act::Store && act != Act::StoreSum && act != Act::Unlock && act != Act::Fence;
  }
  bool writes() const { return !reads() && !syncs() && now().act != Act::Fence; }
  const Value* registers() const { return registers_; }

  // The label of the next event; `value` is what it reads. A question is a write that no read sees.
  Label label(const Value& value, uint32_t outcome = 0) const {
    Label label;
    if (syncs()) label.kind = Kind::Sync;
    if (asks()) label.kind = Kind::Write;
    if (syncs() || asks()) return label;
    const Statement& s = now();
    label.location = {static_cast<uint32_t>(s.x)};
    label.order = s.order;
    if (s.act == Act::Fence) label.kind = Kind::Fence;
    if (s.act == Act::Fence) return label;
    label.kind = reads() ? Kind::Read : Kind::Write;
    const bool update = s.act == Act::Add || s.act == Act::Exchange || s.act == Act::Pick;
    if (update || (s.act == Act::Compare && (storing_ || same(holds_reading(value), outcome))) ||
        (s.act == Act::Lock && (storing_ || same(equal(value, Value(0)), outcome))))
      label.part = Part::Update;
    else if (s.act == Act::Compare)
      label.part = Part::Failed;
    if (label.part == Part::Failed) label.order = s.failure;
    label.continues_own = label.kind == Kind::Write && s.continues_own;
    if (s.act == Act::Lock) label.order = Order::Acquire;
    if (s.act == Act::Unlock) label.order = Order::Release;
    return label;
  }
  Value value_to_write(uint32_t outcome) const {
    const Statement& s = now();
    switch (s.act) {
      case Act::Pick: return Value(s.k + static_cast<int>(outcome));
      case Act::Add: return sum_;
      case Act::StoreSum: return registers_[s.r] + Value(s.k);
      case Act::Lock: return Value(1);
      case Act::Unlock: return Value(0);
      default: return Value(s.k);
    }
  }
  void step(const Value& value, uint32_t outcome = 0) {
    if (beginning_) {
      beginning_ = false;
      settle();
      return;
    }
    if (asks()) {
      answer(outcome == yes());
      settle();
      return;
    }
    const Statement& s = now();
    if (reads()) {
      const Part part = label(value, outcome).part;
      if (s.act == Act::Add) sum_ = value + (s.by_register ? registers_[s.k] : Value(s.k));
      if (s.act == Act::Lock || s.act == Act::Await) {
        waiting_ = !same(equal(value, Value(s.act == Act::Lock ? 0 : s.k)), outcome);
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
  uint32_t yes() const { return now().act == Act::Assume ? 0 : 1; }
  Value expected() const { return now().by_register ? registers_[now().expected] : Value(now().expected); }
  static bool same(Inputs holds, uint32_t outcome) { return is_open(holds) ? outcome == 1 : holds != 0; }
  void settle() {
    while (!beginning_ && !waiting_ && at_ < code_->size()) {
      if (now().act == Act::Input) {
        registers_[now().r] = inputs_[now().x];
        ++at_;
      } else if (!asks() || is_open(holds(1))) {
        return;
      } else {
        answer(holds(yes()) != 0);
      }
    }
  }
  void answer(bool yes) {
    const Statement& s = now();
    switch (s.act) {
      case Act::SkipIf: at_ += yes ? 1 + static_cast<size_t>(s.count) : 1; break;
      case Act::SkipUnless: at_ += yes ? 1 : 1 + static_cast<size_t>(s.count); break;
      case Act::AssertNot:
        failed_ = failed_ || yes;
        at_ = yes ? code_->size() : at_ + 1;
        break;
      default: waiting_ = !yes; at_ += yes;
    }
  }

  const std::vector<Statement>* code_;
  const Value* inputs_;
  size_t at_ = 0;
  bool beginning_ = false;
  bool storing_ = false, waiting_ = false, failed_ = false;
  Value sum_ = {};  // what an Add stores
  Value registers_[kRegisters] = {};
};
using Walker = BasicWalker<int>;

// The System of graph_search.h: walkers, and the values of all writes.
template <typename Value>
class BasicGraphToy {
 public:
  explicit BasicGraphToy(const Script& script, const Value* inputs) {
    for (const auto& thread : script.threads)
      state_.walkers.emplace_back(thread, script.created && !state_.walkers.empty(), inputs);
    state_.creation.resize(script.threads.size(), graph::kInitial);
    made_.resize(script.threads.size());
    state_.lengths.resize(script.threads.size());
  }
  explicit BasicGraphToy(const Script& script) : BasicGraphToy(script, script.inputs) {}

  uint32_t thread_count() const { return static_cast<uint32_t>(state_.walkers.size()); }
  Turn turn(uint32_t thread) const {
    const BasicWalker<Value>& walker = state_.walkers[thread];
    if (walker.beginning()) return state_.creation[thread] == graph::kInitial ? Turn::Ended : Turn::Ready;
    if (walker.joins() >= 0 && !state_.walkers[static_cast<size_t>(walker.joins())].ended()) return Turn::Waiting;
    return walker.waiting() ? Turn::Waiting : walker.ended() ? Turn::Ended : Turn::Ready;
  }
  Label pending(uint32_t thread) const {
    const BasicWalker<Value>& walker = state_.walkers[thread];
    Label label = walker.label({});
    if (walker.asks()) label.location = {kQuestions + thread};
    if (walker.beginning()) label.source = state_.creation[thread];
    if (walker.joins() < 0) return label;
    const uint32_t other = static_cast<uint32_t>(walker.joins());
    if (!made_[other].empty()) label.source = EventId::make(other, static_cast<uint32_t>(made_[other].size()) - 1);
    return label;
  }
  Label pending_reading(uint32_t thread, EventId from, uint32_t outcome) const {
    return state_.walkers[thread].label(value(from), outcome);
  }
  uint32_t outcome_of_write(uint32_t thread, uint32_t least) const {
    const BasicWalker<Value>& walker = state_.walkers[thread];
    while (least < walker.outcomes() && walker.asks() && (state_.path & walker.holds(least)) == 0) ++least;
    return least < walker.outcomes() ? least : kNoOutcome;
  }
  uint32_t outcome_of_read(uint32_t thread, EventId from, uint32_t least) const {
    const Inputs same = state_.walkers[thread].holds_reading(value(from));
    if (!is_open(same)) return least == 0 ? 0 : kNoOutcome;
    if (least == 0 && (state_.path & ~same) != 0) return 0;
    return least <= 1 && (state_.path & same) != 0 ? 1 : kNoOutcome;
  }
  bool is_first_outcome(const graph::Event& event, const graph::Previous& previous) const {
    Inputs path = made_[event.id.thread()][event.id.index()].other;
    for (uint32_t t = 0; t < made_.size(); ++t)
      for (uint32_t n = 0; n < made_[t].size(); ++n)
        if (const EventId id = EventId::make(t, n); id != event.id && previous.contains(id)) path &= made_[t][n].holds;
    return path == 0;
  }
  bool may_wait(const graph::ExecutionGraph& graph, uint32_t thread) const {
    if (!state_.walkers[thread].waits_for_newest()) return true;
    const graph::Event& read = graph.last_of(thread);
    return graph.place_of(read.from) == graph.coherence(read.label.location).size();
  }
  void perform(const graph::ExecutionGraph&, uint32_t thread, EventId from, uint32_t outcome) {
    BasicWalker<Value>& walker = state_.walkers[thread];
    if (walker.creates() >= 0) {
      state_.creation[static_cast<size_t>(walker.creates())] =
          EventId::make(thread, static_cast<uint32_t>(made_[thread].size()));
    }
    const Value read = walker.reads() ? value(from) : Value{};
    Made made;
    made.value = walker.writes() && !walker.asks() ? walker.value_to_write(outcome) : read;
    if (walker.asks()) made.holds = walker.holds(outcome);
    if (const Inputs same = walker.reads() ? walker.holds_reading(read) : 0; is_open(same))
      made.holds = outcome == 1 ? same : kAllInputs & ~same;
    if (made.holds != kAllInputs) made.other = kAllInputs & ~made.holds;
    state_.path &= made.holds;
    made_[thread].push_back(made);
    walker.step(read, outcome);
  }
  size_t mark() {
    for (size_t t = 0; t < made_.size(); ++t) state_.lengths[t] = made_[t].size();
    marks_.push_back(state_);
    return marks_.size() - 1;
  }
  void rewind(size_t mark) {
    state_ = marks_[mark];
    for (size_t t = 0; t < made_.size(); ++t) made_[t].resize(state_.lengths[t]);
    marks_.resize(mark);
  }

  Value value(EventId write) const {
    return write == graph::kInitial ? Value{} : made_[write.thread()][write.index()].value;
  }
  const BasicWalker<Value>& walker(uint32_t thread) const { return state_.walkers[thread]; }
  Inputs path() const { return state_.path; }

  static constexpr uint32_t kQuestions = 16;  // and the number of the thread: where it writes its answers

 private:
  struct Made {
    Value value = {};           // what was written
    Inputs holds = kAllInputs;  // for which inputs
    Inputs other = kAllInputs;  // and for which another outcome is possible
  };
  struct State {
    std::vector<BasicWalker<Value>> walkers;
    std::vector<size_t> lengths;  // of made_
    std::vector<EventId> creation;
    Inputs path = kAllInputs;
  };
  State state_;
  std::vector<std::vector<Made>> made_;  // by thread and index
  std::vector<State> marks_;
};
using GraphToy = BasicGraphToy<int>;

}  // namespace heddle::explore::toy
