#include "server/graph/seq_cst.h"

#include <algorithm>
#include <vector>

namespace heddle::graph {
namespace {

class SeqCst {
 public:
  SeqCst(const ExecutionGraph& graph, Rules rules) : graph_(graph), rules_(rules), model_(rules.model) {}

  bool acyclic() {
    for (size_t n = 0; n < graph_.size(); ++n)
      if (is_seq_cst(graph_.added(n))) members_.push_back(graph_.added(n).id);
    if (members_.size() < 2 && model_ == MemoryModel::Rc11 && !any_fence()) return true;
    if (members_.empty()) return true;
    collect_neighbours();
    state_.assign(members_.size(), State::New);
    for (size_t n = 0; n < members_.size(); ++n)
      if (state_[n] == State::New && reaches_open(n)) return false;
    return true;
  }

 private:
  enum class State : uint8_t { New, Open, Done };

  bool is_seq_cst(const Event& event) const {
    if (event.label.order != Order::SequentiallyConsistent) return false;
    return event.label.kind == Kind::Fence || (model_ == MemoryModel::Rc11 && event.label.kind != Kind::Sync);
  }
  bool is_fence(EventId id) const { return graph_.at(id).label.kind == Kind::Fence; }
  bool any_fence() const {
    return std::any_of(members_.begin(), members_.end(), [&](EventId id) { return is_fence(id); });
  }
  bool is_access(EventId id) const {
    const Kind kind = graph_.at(id).label.kind;
    return kind == Kind::Read || kind == Kind::Write;
  }
  bool happens_before(EventId a, EventId b) const {
    return model_ == MemoryModel::Rc11 ? graph_.happens_before(a, b) : graph_.causes(a, b);
  }
  bool same_location(EventId a, EventId b) const {
    return is_access(a) && is_access(b) && graph_.at(a).label.location == graph_.at(b).label.location;
  }

  // Where an edge may begin for a member, and where it may end: around a fence, all that happens after or before it.
  void collect_neighbours() {
    begins_.resize(members_.size());
    ends_.resize(members_.size());
    for (size_t m = 0; m < members_.size(); ++m) {
      begins_[m].push_back(members_[m]);
      ends_[m].push_back(members_[m]);
      if (!is_fence(members_[m])) continue;
      for (size_t n = 0; n < graph_.size(); ++n) {
        const EventId id = graph_.added(n).id;
        if (happens_before(members_[m], id)) begins_[m].push_back(id);
        if (happens_before(id, members_[m])) ends_[m].push_back(id);
      }
    }
  }

  // eco: a write to what is written over it or read from it or from those; a read to what overwrites what it read.
  bool extended_coherence(EventId a, EventId b) const {
    if (a == b || !same_location(a, b)) return false;
    const Event &first = graph_.at(a), &second = graph_.at(b);
    const uint32_t from = graph_.place_seen(first), to = graph_.place_seen(second);
    if (first.label.kind == Kind::Write && second.label.kind == Kind::Read) return from <= to;
    return from < to;
  }

  // The event of the thread next to this one, in the direction. With updates as in the standard: the next one that is
  // not an access to the same location.
  bool neighbour(EventId id, int direction, EventId& found) const {
    const int64_t length = graph_.length(id.thread());
    for (int64_t n = int64_t{id.index()} + direction; n >= 0 && n < length; n += direction) {
      found = EventId::make(id.thread(), static_cast<uint32_t>(n));
      if (rules_.updates == SeqCstUpdates::Stronger || !same_location(id, found)) return true;
    }
    return false;
  }

  // scb, for events that differ.
  bool ordered_before(EventId a, EventId b) const {
    if (a == b) return false;
    if (a.thread() == b.thread() && a.index() < b.index()) return true;
    if (same_location(a, b)) {
      if (happens_before(a, b)) return true;
      return graph_.at(b).label.kind == Kind::Write && extended_coherence(a, b);
    }
    return false;
  }
  bool ordered_by_others(EventId a, EventId b) const {
    EventId after, before;
    return neighbour(a, 1, after) && neighbour(b, -1, before) && happens_before(after, before);
  }

  bool has_edge(size_t from, size_t to) const {
    const bool fences = is_fence(members_[from]) && is_fence(members_[to]);
    if (fences && happens_before(members_[from], members_[to])) return true;
    for (const EventId a : begins_[from]) {
      for (const EventId b : ends_[to]) {
        if (ordered_before(a, b) || ordered_by_others(a, b)) return true;
        if (fences && extended_coherence(a, b)) return true;
      }
    }
    return false;
  }

  bool reaches_open(size_t from) {
    state_[from] = State::Open;
    for (size_t to = 0; to < members_.size(); ++to) {
      if (state_[to] == State::Done || !has_edge(from, to)) continue;
      if (state_[to] == State::Open || reaches_open(to)) return true;
    }
    state_[from] = State::Done;
    return false;
  }

  const ExecutionGraph& graph_;
  Rules rules_;
  MemoryModel model_;
  std::vector<EventId> members_;
  std::vector<std::vector<EventId>> begins_, ends_;
  std::vector<State> state_;
};

}  // namespace

bool seq_cst_acyclic(const ExecutionGraph& graph, Rules rules) { return SeqCst(graph, rules).acyclic(); }

}  // namespace heddle::graph
