// How a search without states is written down, and continued in another process. Included by partial_order.h alone.
//
// In:      a search; the bytes that save() made of it, or that `search_parts.h` made of them.
// Out:     bytes; the search as it stood.
// Owns:    nothing.
// Threads: the thread that uses the System.
// Fails:   restore() returns false for bytes of another program.
#pragma once

#include "server/explore/partial_order.h"
#include "server/explore/saved_search.h"

namespace heddle::explore {

template <typename System, typename Client>
std::string PartialOrderSearch<System, Client>::save() const {
  Writer out;
  out.value(statistics_);
  out.value(begun_);
  out.value(SavedSearch::Counts{own_, nodes_.size(), ended_});
  for (const Node& node : nodes_) {
    out.value(static_cast<const SavedNode&>(node));
    trees_.save(node.wakeup, out);
  }
  return out.bytes();
}

template <typename System, typename Client>
bool PartialOrderSearch<System, Client>::restore(Reader in) {
  const auto statistics = in.value<Statistics>();
  begun_ = in.value<Statistics>();
  const auto counts = in.value<SavedSearch::Counts>();
  own_ = counts.own;
  restoring_ = true;
  for (uint64_t n = 0; n < counts.nodes; ++n) {
    const auto saved = in.value<SavedNode>();
    const WakeupTrees::List wakeup = trees_.restore(in);
    if (!in.good() || saved.current >= system_.thread_count() || !system_.enabled(ThreadId(saved.current)))
      return false;
    if (!restore_node(saved, n + 1 >= counts.own)) return false;
    if (n + 1 < counts.nodes && !step()) return false;
    nodes_[n].wakeup = wakeup;
  }
  restoring_ = false;
  fresh_ = history_.size();
  // What others have found in the meantime stays.
  const Statistics now = statistics_;
  statistics_ = statistics;
  statistics_.probes = now.probes;
  statistics_.probe_states = now.probe_states;
  statistics_.switches = now.switches;
  statistics_.first_finding = now.first_finding;
  return counts.nodes > 0 && counts.own <= counts.nodes;
}

// The choice is about to be made. What sleeps there, or is tried there by others, is looked up again.
template <typename System, typename Client>
bool PartialOrderSearch<System, Client>::restore_node(const SavedNode& saved, bool returns) {
  Node node;
  static_cast<SavedNode&>(node) = saved;
  node.others = {};
  node.begins = false;
  if (saved.begins) {
    begin_alternatives(node);
    node.forced = !client_.relevant(pending(node.current));
  }
  node.first_sleeper = sleeper_count();
  if (by_wakeup()) {
    ThreadSet tried = node.done | saved.others;
    if (own_ == 0) tried = tried | node.sleep;
    tried.remove(node.current);
    const uint32_t threads = system_.thread_count();
    bool known = true;
    for_each(tried, [&](uint32_t thread) {
      known = known && thread < threads;
      if (known) sleepers_.push_back({thread, footprint(pending(thread))});
    });
    if (!known) return false;
  }
  if (returns && (node.enabled.count() > 1 || node.alternatives > 1)) node.mark = system_.mark();
  nodes_.push_back(node);
  return true;
}

}  // namespace heddle::explore
