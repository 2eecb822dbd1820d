#include "server/graph/consistency.h"

#include <algorithm>

#include "server/graph/seq_cst.h"

namespace heddle::graph {

uint32_t Consistency::place_known(uint32_t thread, LocationId location) const {
  const uint32_t* clock = model_ == MemoryModel::Rc11 ? graph_.happened_before(thread) : graph_.causal_before(thread);
  uint32_t place = 0;
  // A thread sees later and later places.
  for (const ThreadAccesses& other : graph_.accesses(location)) {
    const auto reads = known_part(other.reads, clock[other.thread]);
    const auto writes = known_part(other.writes, clock[other.thread]);
    if (!reads.empty()) place = std::max(place, graph_.place_of(graph_.at(reads.back()).from));
    if (!writes.empty()) place = std::max(place, graph_.place_of(writes.back()));
  }
  return place;
}

bool Consistency::separates_update(LocationId location, uint32_t place) const {
  const auto writes = graph_.coherence(location);
  if (place > writes.size()) return false;
  return graph_.at(writes[place - 1]).label.part == Part::Update;
}

bool Consistency::has_later_write(const Event& event) const {
  return graph_.place_seen(event) < graph_.coherence(event.label.location).size();
}

bool Consistency::allows_last() {
  const Event& last = graph_.last();
  if (last.label.kind != Kind::Read && last.label.kind != Kind::Write) return true;
  if (!has_later_write(last)) return true;
  switch (model_) {
    case MemoryModel::Sc:
    case MemoryModel::Tso: return !closes_cycle();
    case MemoryModel::Ra:
    case MemoryModel::Rc11: return seq_cst_acyclic(graph_, rules_);
  }
  return false;
}

// Is there a way from the last event back to it?
bool Consistency::closes_cycle() {
  seen_.resize(graph_.thread_count());
  for (uint32_t n = 0; n < graph_.thread_count(); ++n) seen_[n].assign(graph_.length(n), false);
  target_ = graph_.last().id;
  found_ = false;
  work_.assign(1, target_);
  while (!work_.empty() && !found_) {
    const EventId id = work_.back();
    work_.pop_back();
    follow(id);
  }
  return found_;
}

void Consistency::visit(EventId id) {
  if (id == target_) found_ = true;
  if (seen_[id.thread()][id.index()]) return;
  seen_[id.thread()][id.index()] = true;
  work_.push_back(id);
}

// To all that comes after the event by itself: in program order, by reads-from, in coherence order, from reads.
void Consistency::follow(EventId id) {
  const Event& event = graph_.at(id);
  follow_program_order(id);
  for (const EventId sync : graph_.syncs()) {
    // What a thread created or left to a join sees all of its stores.
    const EventId source = graph_.at(sync).label.source;
    if (source.thread() == id.thread() && source.index() >= id.index()) visit(sync);
  }
  if (event.label.kind != Kind::Read && event.label.kind != Kind::Write) return;
  const auto writes = graph_.coherence(event.label.location);
  const uint32_t place = graph_.place_seen(event);
  if (place < writes.size()) visit(writes[place]);
  if (event.label.kind == Kind::Read) return;
  for (const ThreadAccesses& other : graph_.accesses(event.label.location)) {
    const bool own = model_ == MemoryModel::Tso && other.thread == id.thread();  // from its store buffer
    if (own) continue;
    for (const EventId read : other.reads)
      if (graph_.at(read).from == id) visit(read);
  }
}

// Under Tso a read may overtake a store of its thread up to the next fence.
void Consistency::follow_program_order(EventId id) {
  const uint32_t length = graph_.length(id.thread());
  bool reads_too = model_ == MemoryModel::Sc || graph_.at(id).label.kind != Kind::Write || fences_store(graph_.at(id));
  for (uint32_t n = id.index() + 1; n < length; ++n) {
    const EventId next = EventId::make(id.thread(), n);
    const Event& event = graph_.at(next);
    const bool read = event.label.kind == Kind::Read && event.label.part == Part::None;
    if (event.label.kind == Kind::Fence && event.label.order != Order::SequentiallyConsistent) continue;
    if (read && !reads_too) continue;
    visit(next);
    if (model_ == MemoryModel::Sc || event.label.kind != Kind::Write || !reads_too) return;
  }
}

bool Consistency::fences_store(const Event& event) const {
  return event.label.part == Part::Update || event.label.order == Order::SequentiallyConsistent;
}

std::vector<EventId> races_of_last(const ExecutionGraph& graph) {
  const Event& last = graph.last();
  std::vector<EventId> races;
  if (last.label.kind != Kind::Read && last.label.kind != Kind::Write) return races;
  if (!graph.has_plain_accesses(last.label.location)) return races;
  const uint32_t* clock = graph.happened(last.id);
  const auto look = [&](EventId other) {
    if (last.label.order == Order::Plain || graph.at(other).label.order == Order::Plain) races.push_back(other);
  };
  for (const ThreadAccesses& other : graph.accesses(last.label.location)) {
    if (other.thread == last.id.thread()) continue;
    for (const EventId write : unknown_part(other.writes, clock[other.thread])) look(write);
    if (last.label.kind == Kind::Read) continue;
    for (const EventId read : unknown_part(other.reads, clock[other.thread])) look(read);
  }
  return races;
}

}  // namespace heddle::graph
