// Accesses to memory in execution graphs: which store a read finds, and what memory holds after a store.
#include "server/explore/graph_machine.h"

namespace heddle::explore {

using graph::EventId;
using graph::Kind;
using graph::Label;
using graph::LocationId;
using machine::Operation;
using machine::OperationKind;
using machine::ThreadId;

GraphMachine::Store GraphMachine::store(LocationId location, EventId id) {
  if (id == graph::kInitial) {
    const Word& initial = prepared(location).initial;
    return {initial, initial.expression != 0 ? std::optional<uint32_t>(0) : std::nullopt};
  }
  return stores_[id.thread()][id.index()];
}

// Memory that was written by other than atomic accesses, such as by atomic_init, has a new initial value. Without a
// data race everything that was done at the location happens before that, and that before everything that follows. So
// what follows is at another location.
LocationId GraphMachine::as_written_last(LocationId id) {
  while (id.value < location_states_.size() && location_states_[id.value].known) {
    const LocationState& state = location_states_[id.value];
    if (!state.written_over) {
      const Word held = machine_.held_at(locations_[id.value].at, locations_[id.value].size);
      if (state.shown.same_as(held)) return id;
      change(id).written_over = true;
    }
    const auto [found, fresh] = later_.try_emplace(id.value, locations_.size());
    if (fresh) locations_.push_back(Location(locations_[id.value]));
    id = {found->second};
  }
  return id;
}

// An access takes place where the graph has it, also if data races let memory be written over at another time.
void GraphMachine::stand_at(uint32_t thread, LocationId location) {
  ThreadState& t = states_[thread];
  const Operation& operation = machine_.pending(ThreadId(thread));
  const Form as = form_of(thread, operation);
  if (!is_access(as) || fence_precedes(thread, operation)) return;
  if (!t.looked) location_of(operation, false);  // notes whether memory was written over
  t.looked = true;
  t.form = as;
  t.location = location;
}

// The machine's memory holds the value stored last; the access finds the one of its store.
std::optional<GraphMachine::Found> GraphMachine::show(LocationId id, EventId from) {
  const Location& location = locations_[id.value];
  const Store seen = store(id, from);
  if (prepared(id).view_of != from) {
    machine_.show_view(location.at, location.size, seen.view);
    change(id).view_of = from;
  }
  const Word held = machine_.held_at(location.at, location.size);
  const uint64_t value = machine_.value_of(seen.word);
  if (seen.word.expression == held.expression && value == held.value && seen.word.high == held.high)
    return std::nullopt;
  return Found{value, seen.stored_by, seen.word.high};
}

// A store that another one follows in coherence order, which was performed before it. Memory is to hold the newest.
bool GraphMachine::is_earlier(const graph::ExecutionGraph& graph, EventId id) const {
  const Label& label = graph.at(id).label;
  if (label.kind != Kind::Write || label.location.value >= location_states_.size()) return false;
  const LocationState& location = location_states_[label.location.value];
  return location.known && graph.place_of(id) < graph.place_of(location.newest);
}

// The later rounds of a loop that reads one location and counts: they read the same store, without events of their own.
void GraphMachine::read_on(uint32_t thread, machine::Pointer at, LocationId location, EventId from) {
  const ThreadId id(thread);
  const auto reads_again = [&] {
    const Operation& next = machine_.pending(id);
    return !stop_ && machine_.outcome() == machine::Outcome::Running && machine_.enabled(id) &&
           states_[thread].half == Half::None && next.object == at && next.alternatives <= 1 &&
           form(next) == Form::Load && !sizes_differ(next);
  };
  for (uint32_t round = 0; reads_again(); ++round) {
    machine_.leave_out_rounds();
    if (round == kSilentReadsMost) {  // it does not end by counting
      change(thread).reads_in_row = kReadsInRowMost + kReadsOnMost;
      return;
    }
    step(thread, show(location, from));
  }
}

void GraphMachine::perform_access(uint32_t thread, const Operation& operation, EventId from, uint32_t outcome,
                                  bool earlier, Store& made) {
  ThreadState& t = states_[thread];
  const Form as = form_of(thread, operation);
  const LocationId location = location_of(thread, operation, false);
  const machine::Pointer at = operation.object;  // the operation is another one after a step
  prepared(location);
  const bool again = as == Form::Load && t.read_last == location;
  t.reads_in_row = again ? t.reads_in_row + 1 : 0;
  t.read_last = as == Form::Load ? location : LocationId{~0u};
  if (as == Form::Update && t.half == Half::None && !fails(thread, location, from, outcome)) {
    if (outcome != 0) machine_.assume(question(thread, from)[outcome]);
    t.half = Half::Reading;
    t.from = from;
    t.alternative = outcome;
    return;
  }
  const bool updates = t.half == Half::Reading, stores = as == Form::Store || updates;
  std::optional<Found> found;
  if (as != Form::Store) found = show(location, updates ? t.from : from);
  const uint32_t unknown_stores = machine_.unknown_stores();
  earlier = earlier && stores && operation.kind != OperationKind::Write;  // plain stores that race have one order
  step(thread, found, updates ? t.alternative : 0, earlier);
  if (as == Form::Load && t.reads_in_row >= kReadsInRowMost) read_on(thread, at, location, from);
  if (!stores) return;
  if (operation.size > 8 && machine_.is_unknown(operation.object, operation.size)) {
    reporter_.not_followed(operation, why_not_followed(as, operation));
    stop_ = true;
  }
  made.word = earlier ? machine_.stored_earlier() : machine_.held_at(operation.object, operation.size);
  if (machine_.unknown_stores() != unknown_stores) made.stored_by = machine_.unknown_stores();
  LocationState& state = change(location);
  if (!earlier) {
    state.shown = made.word;
    state.newest = EventId::make(thread, t.length - 1);
  }
  made.view = machine_.view_of(operation.object, operation.size);
  state.view_of = EventId::make(thread, t.length - 1);
}

}  // namespace heddle::explore
