// Execution graphs: events in program order, reads-from, coherence order, and clocks for causality and happens-before.
//
// In:      one event at a time, in an order in which each event follows what it depends on.
// Out:     the relations between the events that are there.
// Cost:    an event takes one record and six clocks of as many words as there are threads; adding one costs that, and
//          for a write the part of the coherence order that moves.
// Owns:    its events and clocks.
// Threads: the thread that uses it.
// Fails:   never. The caller keeps within kThreadsMax and kEventsMax.
// From:    Lahav, Vafeiadis, Kang, Hur, Dreyer 2017, section 3 (happens-before); Kokologiannakis, Marmanis, Gladstein,
//          Vafeiadis 2022, section 3 (graphs with the order of addition).
//
// The graph does not judge: it takes any reads-from and coherence order (consistency.h judges). Undone by pop() in the
// opposite order.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "server/graph/types.h"

namespace heddle::graph {

struct Event {
  EventId id;
  Label label;
  EventId from;              // of a read: the write whose value it has
  uint32_t place = 0;        // of a write: its place in the coherence order now; the initial store has place 0
  uint32_t place_added = 0;  // and when it was added
  uint32_t stamp = 0;        // order of addition; a read that was revisited keeps the one it had
  uint32_t stamp_max = 0;    // of all events up to this one
  // Of a write that can go in several ways, such as a signal that wakes one of many, or a branch on unknown data; of a
  // read that unknown data lets fail or succeed.
  uint32_t outcome = 0;
};

// What one thread did at one location, each in program order.
struct ThreadAccesses {
  uint32_t thread = 0;
  std::vector<EventId> reads, writes;
};

// The part of the events, all of one thread in program order, that a count of the thread's events contains, and the
// rest.
std::span<const EventId> known_part(std::span<const EventId> events, uint32_t count);
std::span<const EventId> unknown_part(std::span<const EventId> events, uint32_t count);

class ExecutionGraph {
 public:
  explicit ExecutionGraph(uint32_t threads);

  uint32_t thread_count() const { return static_cast<uint32_t>(threads_.size()); }
  size_t size() const { return order_.size(); }
  bool contains(EventId id) const { return id.index() < threads_[id.thread()].size(); }
  uint32_t length(uint32_t thread) const { return static_cast<uint32_t>(threads_[thread].size()); }

  // Not for kInitial.
  const Event& at(EventId id) const { return threads_[id.thread()][id.index()].event; }
  // The event that was added as number `position`.
  const Event& added(size_t position) const { return at(order_[position]); }
  const Event& last_of(uint32_t thread) const { return threads_[thread].back().event; }
  const Event& last() const { return at(order_.back()); }

  // The writes of a location in coherence order, without the initial store; place p is element p - 1.
  std::span<const EventId> coherence(LocationId location) const;
  // By the threads that accessed the location.
  std::span<const ThreadAccesses> accesses(LocationId location) const;
  bool has_plain_accesses(LocationId location) const;
  // The Sync events that follow another event.
  std::span<const EventId> syncs() const { return syncs_; }
  uint32_t place_of(EventId write) const { return write == kInitial ? 0 : at(write).place; }
  EventId write_at(LocationId location, uint32_t place) const;
  // The place of the write that the event is, or reads.
  uint32_t place_seen(const Event& event) const {
    return event.label.kind == Kind::Write ? event.place : place_of(event.from);
  }

  // Strict relations. (po U rf)+, and happens-before as the memory orders give it.
  bool causes(EventId a, EventId b) const { return a != b && a.index() < causal(b)[a.thread()]; }
  bool happens_before(EventId a, EventId b) const { return a != b && a.index() < happened(b)[a.thread()]; }
  // Per thread, how many of its events are before the next event of `thread`; one word a thread.
  const uint32_t* causal_before(uint32_t thread) const { return before(thread, kCausal); }
  const uint32_t* happened_before(uint32_t thread) const { return before(thread, kHappened); }
  // The same, up to and with an event.
  const uint32_t* causal(EventId id) const { return row(threads_[id.thread()][id.index()], kCausal); }
  const uint32_t* happened(EventId id) const { return row(threads_[id.thread()][id.index()], kHappened); }

  uint32_t next_stamp() const { return order_.empty() ? 1 : last().stamp_max + 1; }
  void add_read(uint32_t thread, const Label& label, EventId from, uint32_t stamp, uint32_t outcome = 0);
  // Place 1 is the first after the initial store.
  void add_write(uint32_t thread, const Label& label, uint32_t place, uint32_t stamp, uint32_t outcome = 0);
  // A fence, or a Sync.
  void add_other(uint32_t thread, const Label& label, uint32_t stamp);
  void set_outcome(uint32_t outcome);  // of the event added last
  void pop();

 private:
  // Pending: what the next acquire fence will acquire. Fenced: what a relaxed store passes on since the last release
  // fence. Own: what a write passes on as the head of a release sequence. Released: what an acquire of it gets.
  enum Row : uint8_t { kCausal, kHappened, kPending, kFenced, kOwn, kReleased, kRows };
  struct Node {
    Event event;
    size_t clocks = 0;  // in pool_
  };
  struct Location {
    std::vector<EventId> coherence;
    std::vector<ThreadAccesses> accesses;  // some may be empty
    uint32_t plain = 0;
  };

  const uint32_t* row(const Node& node, Row which) const { return pool_.data() + node.clocks + which * thread_count(); }
  uint32_t* row(const Node& node, Row which) { return pool_.data() + node.clocks + which * thread_count(); }
  const uint32_t* before(uint32_t thread, Row which) const {
    return threads_[thread].empty() ? none_.data() : row(threads_[thread].back(), which);
  }
  Node& begin(uint32_t thread, const Label& label, uint32_t stamp);
  void join(Node& node, Row into, const uint32_t* other);
  void synchronise_read(Node& node);
  void synchronise_write(Node& node);
  Location& location(LocationId id);
  ThreadAccesses& accesses_by(LocationId id, uint32_t thread);

  std::vector<std::vector<Node>> threads_;
  std::vector<EventId> order_, syncs_;
  std::vector<Location> locations_;
  std::vector<uint32_t> pool_, none_;
};

}  // namespace heddle::graph
