// How an unfinished search without states is written down, and continued in another process. Included by
// partial_order.h alone.
//
// In:      a search; the bytes that save() made of it.
// Out:     bytes; the search as it stood.
// Owns:    nothing.
// Threads: the thread that uses the System.
// Fails:   restore() returns false for bytes of another program.
#pragma once

#include "server/explore/partial_order.h"

namespace heddle::explore {

template <typename System, typename Client>
std::string PartialOrderSearch<System, Client>::save() const {
  Writer out;
  out.value(statistics_);
  out.value(begun_);
  out.values(sleepers_);
  out.value(static_cast<uint64_t>(nodes_.size()));
  for (const Node& node : nodes_) {
    Node plain = node;
    plain.mark = {};
    out.value(plain);
    trees_.save(node.wakeup, out);
  }
  return out.bytes();
}

template <typename System, typename Client>
bool PartialOrderSearch<System, Client>::restore(Reader in) {
  const auto statistics = in.value<Statistics>();
  begun_ = in.value<Statistics>();
  const auto sleepers = in.values<Sleeper>();
  const auto count = in.value<uint64_t>();
  restoring_ = true;
  for (uint64_t n = 0; n < count; ++n) {
    Node node = in.value<Node>();
    const WakeupTrees::List wakeup = trees_.restore(in);
    if (!in.good() || node.current >= system_.thread_count() || !system_.enabled(ThreadId(node.current))) return false;
    node.wakeup = WakeupTrees::kEmpty;
    if (node.enabled.count() > 1 || node.alternatives > 1) node.mark = system_.mark();
    nodes_.push_back(node);
    if (n + 1 < count && !step()) return false;
    nodes_[n].wakeup = wakeup;
  }
  restoring_ = false;
  sleepers_ = sleepers;
  fresh_ = history_.size();
  // What others have found in the meantime stays.
  const Statistics now = statistics_;
  statistics_ = statistics;
  statistics_.probes = now.probes;
  statistics_.probe_states = now.probe_states;
  statistics_.switches = now.switches;
  statistics_.first_finding = now.first_finding;
  return count > 0;
}

}  // namespace heddle::explore
