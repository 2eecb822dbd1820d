#include "server/graph/execution_graph.h"

#include <algorithm>

namespace heddle::graph {
namespace {

size_t count_known(std::span<const EventId> events, uint32_t count) {
  const auto end = std::partition_point(events.begin(), events.end(), [&](EventId id) { return id.index() < count; });
  return static_cast<size_t>(end - events.begin());
}

}  // namespace

std::span<const EventId> known_part(std::span<const EventId> events, uint32_t count) {
  return events.first(count_known(events, count));
}

std::span<const EventId> unknown_part(std::span<const EventId> events, uint32_t count) {
  return events.subspan(count_known(events, count));
}

ExecutionGraph::ExecutionGraph(uint32_t threads) : threads_(threads), none_(threads) {}

std::span<const EventId> ExecutionGraph::coherence(LocationId location) const {
  if (location.value >= locations_.size()) return {};
  return locations_[location.value].coherence;
}

std::span<const ThreadAccesses> ExecutionGraph::accesses(LocationId location) const {
  if (location.value >= locations_.size()) return {};
  return locations_[location.value].accesses;
}

bool ExecutionGraph::has_plain_accesses(LocationId location) const {
  return location.value < locations_.size() && locations_[location.value].plain > 0;
}

EventId ExecutionGraph::write_at(LocationId location, uint32_t place) const {
  return place == 0 ? kInitial : locations_[location.value].coherence[place - 1];
}

ExecutionGraph::Location& ExecutionGraph::location(LocationId id) {
  if (id.value >= locations_.size()) locations_.resize(id.value + 1);
  return locations_[id.value];
}

ThreadAccesses& ExecutionGraph::accesses_by(LocationId id, uint32_t thread) {
  std::vector<ThreadAccesses>& all = location(id).accesses;
  for (ThreadAccesses& one : all)
    if (one.thread == thread) return one;
  all.emplace_back().thread = thread;
  return all.back();
}

// The event with the clocks of the one before it in its thread, itself included in what it causes.
ExecutionGraph::Node& ExecutionGraph::begin(uint32_t thread, const Label& label, uint32_t stamp) {
  std::vector<Node>& events = threads_[thread];
  const uint32_t stamp_max = order_.empty() ? stamp : std::max(stamp, last().stamp_max);
  Node node;
  node.event.id = EventId::make(thread, static_cast<uint32_t>(events.size()));
  node.event.label = label;
  node.event.stamp = stamp;
  node.event.stamp_max = stamp_max;
  node.clocks = pool_.size();
  pool_.resize(pool_.size() + size_t{kRows} * thread_count());
  if (!events.empty()) {
    for (const Row which : {kCausal, kHappened, kPending, kFenced})
      std::copy_n(row(events.back(), which), thread_count(), row(node, which));
  }
  row(node, kCausal)[thread] = row(node, kHappened)[thread] = node.event.id.index() + 1;
  events.push_back(node);
  order_.push_back(node.event.id);
  return events.back();
}

void ExecutionGraph::join(Node& node, Row into, const uint32_t* other) {
  uint32_t* clock = row(node, into);
  for (uint32_t n = 0; n < thread_count(); ++n) clock[n] = std::max(clock[n], other[n]);
}

void ExecutionGraph::add_read(uint32_t thread, const Label& label, EventId from, uint32_t stamp, uint32_t outcome) {
  Node& node = begin(thread, label, stamp);
  node.event.from = from;
  node.event.outcome = outcome;
  accesses_by(label.location, thread).reads.push_back(node.event.id);
  location(label.location).plain += label.order == Order::Plain;
  synchronise_read(node);
}

void ExecutionGraph::synchronise_read(Node& node) {
  const EventId from = node.event.from;
  if (from == kInitial) return;
  const Node& write = threads_[from.thread()][from.index()];
  join(node, kCausal, row(write, kCausal));
  if (node.event.label.order == Order::Plain) return;
  join(node, acquires(node.event.label.order) ? kHappened : kPending, row(write, kReleased));
}

void ExecutionGraph::add_write(uint32_t thread, const Label& label, uint32_t place, uint32_t stamp, uint32_t outcome) {
  Node& node = begin(thread, label, stamp);
  node.event.outcome = outcome;
  node.event.place = node.event.place_added = place;
  accesses_by(label.location, thread).writes.push_back(node.event.id);
  location(label.location).plain += label.order == Order::Plain;
  std::vector<EventId>& coherence = location(label.location).coherence;
  coherence.insert(coherence.begin() + (place - 1), node.event.id);
  for (size_t n = place; n < coherence.size(); ++n) ++threads_[coherence[n].thread()][coherence[n].index()].event.place;
  synchronise_write(node);
}

void ExecutionGraph::synchronise_write(Node& node) {
  const Event& event = node.event;
  if (event.label.order == Order::Plain) return;
  join(node, kOwn, row(node, releases(event.label.order) ? kHappened : kFenced));
  const std::vector<Node>& thread = threads_[event.id.thread()];
  if (event.label.continues_own) {
    for (uint32_t n = event.id.index(); n-- > 0;) {
      if (thread[n].event.label.kind != Kind::Write || thread[n].event.label.location != event.label.location) continue;
      join(node, kOwn, row(thread[n], kOwn));
      break;
    }
  }
  join(node, kReleased, row(node, kOwn));
  if (event.label.part != Part::Update) return;
  const EventId from = thread[event.id.index() - 1].event.from;
  if (from != kInitial) join(node, kReleased, row(threads_[from.thread()][from.index()], kReleased));
}

void ExecutionGraph::add_other(uint32_t thread, const Label& label, uint32_t stamp) {
  Node& node = begin(thread, label, stamp);
  if (label.kind == Kind::Sync) {
    if (label.source == kInitial) return;
    join(node, kCausal, causal(label.source));
    join(node, kHappened, happened(label.source));
    syncs_.push_back(node.event.id);
    return;
  }
  if (acquires(label.order)) join(node, kHappened, row(node, kPending));
  if (releases(label.order)) join(node, kFenced, row(node, kHappened));
}

void ExecutionGraph::set_outcome(uint32_t outcome) {
  const EventId last = order_.back();
  threads_[last.thread()][last.index()].event.outcome = outcome;
}

void ExecutionGraph::pop() {
  const EventId id = order_.back();
  const Event& event = at(id);
  if (event.label.kind == Kind::Read) {
    accesses_by(event.label.location, id.thread()).reads.pop_back();
    location(event.label.location).plain -= event.label.order == Order::Plain;
  } else if (event.label.kind == Kind::Write) {
    accesses_by(event.label.location, id.thread()).writes.pop_back();
    location(event.label.location).plain -= event.label.order == Order::Plain;
    std::vector<EventId>& coherence = location(event.label.location).coherence;
    for (size_t n = event.place; n < coherence.size(); ++n)
      --threads_[coherence[n].thread()][coherence[n].index()].event.place;
    coherence.erase(coherence.begin() + (event.place - 1));
  } else if (event.label.kind == Kind::Sync && event.label.source != kInitial) {
    syncs_.pop_back();
  }
  pool_.resize(threads_[id.thread()].back().clocks);
  threads_[id.thread()].pop_back();
  order_.pop_back();
}

}  // namespace heddle::graph
