#include "server/graph/maximal.h"

namespace heddle::graph {
namespace {

struct Revisit {
  const ExecutionGraph& graph;
  const uint32_t* causes;  // of the write
  uint32_t stamp;          // of the read
  const FirstOutcome* first = nullptr;

  bool is_cause(EventId id) const { return id.index() < causes[id.thread()]; }
  bool stays(const Event& event) const { return event.stamp < stamp || is_cause(event.id); }

  bool is_previous(EventId id, const Event& event) const {
    return id == kInitial || Previous{graph, causes, event.stamp}.contains(id);
  }

  bool is_maximal(const Event& event) const {
    if (event.label.kind != Kind::Read && event.label.kind != Kind::Write) return true;
    // The first one that is possible stands for all.
    if (event.outcome != 0 && !(*first)(event, Previous{graph, causes, event.stamp})) return false;
    const LocationId location = event.label.location;
    const EventId write = event.label.kind == Kind::Write ? event.id : event.from;
    if (!is_previous(write, event)) return false;
    const auto writes = graph.coherence(location);
    for (size_t n = graph.place_of(write); n < writes.size(); ++n)
      if (is_previous(writes[n], event)) return false;
    if (event.label.kind == Kind::Read) return true;
    for (const ThreadAccesses& other : graph.accesses(location))
      for (const EventId read : other.reads)
        if (graph.at(read).from == event.id && is_previous(read, event)) return false;
    return true;
  }
};

}  // namespace

bool may_revisit(const ExecutionGraph& graph, EventId read, uint32_t writer, const FirstOutcome& first) {
  const Revisit revisit{graph, graph.causal_before(writer), graph.at(read).stamp, &first};
  if (revisit.is_cause(read)) return false;
  for (size_t n = 0; n < graph.size(); ++n) {
    const Event& event = graph.added(n);
    if (!revisit.stays(event) && !revisit.is_maximal(event)) return false;
  }
  return true;
}

std::vector<size_t> kept_by_revisit(const ExecutionGraph& graph, EventId read, uint32_t writer) {
  const Revisit revisit{graph, graph.causal_before(writer), graph.at(read).stamp};
  std::vector<size_t> kept;
  for (size_t n = 0; n < graph.size(); ++n)
    if (revisit.stays(graph.added(n))) kept.push_back(n);
  return kept;
}

}  // namespace heddle::graph
