// All execution graphs of a script by brute force: every reads-from and every coherence order, judged by the axioms.
#pragma once

#include <functional>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "tests/explore/graph_axioms.h"

namespace heddle::explore::toy {

// A graph in words: per event its reads-from, per location its writes in coherence order.
inline std::string name_of(int thread, int index) {
  return thread < 0 ? "init" : std::to_string(thread) + "." + std::to_string(index);
}

struct Enumerated {
  std::multiset<std::string> complete, blocked;
  bool race = false, failure = false;
};

constexpr MemoryModel kModels[] = {MemoryModel::Sc, MemoryModel::Tso, MemoryModel::Ra, MemoryModel::Rc11};

class Enumerator {
 public:
  // The model of the rules does not count: all four are judged.
  Enumerator(const Script& script, graph::Rules rules) : script_(script), rules_(rules) {}

  // False: too large for brute force. By model, in the order of kModels.
  bool run(uint64_t graphs_max = 300'000) {
    graphs_max_ = graphs_max;
    if (!find_values()) return false;
    std::vector<const Trace*> chosen;
    return choose_traces(chosen);
  }
  const Enumerated& of(size_t model) const { return results_[model]; }

 private:
  struct Trace {
    std::vector<AxiomEvent> events;
    uint64_t read = 0, written = 0;  // values, as bits of value_bit; of reads those that are not initial
    bool waiting = false, failed = false;
    bool for_newest = false;  // its last event, a read
    bool begun = true;
    int joining = -1;                                   // where it stopped
    std::vector<std::pair<int, int>> joins, creations;  // index, thread
  };

  using Values = std::map<uint32_t, std::set<int>>;  // of each location

  // Values that share a bit count as one: a bit that nothing wrote stands for values that nothing wrote.
  static uint64_t value_bit(const AxiomEvent& e, int value) {
    return uint64_t{1} << (e.label.location.value * 17 + static_cast<uint32_t>(value)) % 64;
  }
  static void note_values(Trace& trace) {
    for (const AxiomEvent& e : trace.events) {
      if (is_write(e)) trace.written |= value_bit(e, e.written);
      if (is_read(e) && e.read != 0) trace.read |= value_bit(e, e.read);
    }
  }

  // The runs of each thread for all values that its reads could have. No value is above the greatest constant and the
  // summands of all sums, each of which is performed once; a sum with a register at most doubles it.
  bool find_values() {
    int constant = 1, summands = 0, doubled = 0;  // a lock stores 1; a register adds what was read
    for (const auto& thread : script_.threads) {
      for (const Statement& s : thread) {
        const bool sum = s.act == Act::Add || s.act == Act::StoreSum;
        doubled += sum && s.by_register;
        if (sum && !s.by_register) summands += s.k;
        if (s.act == Act::Input) constant = std::max(constant, kDomain - 1);
        if (!sum) constant = std::max(constant, s.act == Act::Pick ? s.k + 1 : s.k);
      }
    }
    Values values;
    while (true) {
      traces_.assign(script_.threads.size(), {});
      for (size_t t = 0; t < script_.threads.size(); ++t) {
        Trace begun;
        const bool created = script_.created && t > 0;
        walk(static_cast<int>(t), Walker(script_.threads[t], created, script_.inputs), begun, values);
        if (created) traces_[t].emplace_back().begun = false;
        if (traces_[t].size() > 20'000) return false;
      }
      const Values before = values;
      for (const auto& thread : traces_)
        for (const Trace& trace : thread)
          for (const AxiomEvent& e : trace.events)
            if (is_write(e) && e.written <= (constant + summands) << doubled)
              values[e.label.location.value].insert(e.written);
      if (values == before) break;
    }
    for (auto& thread : traces_)
      for (Trace& trace : thread) note_values(trace);
    return true;
  }

  void walk(int thread, const Walker& walker, Trace& begun, const Values& values) {
    if (walker.ended() || walker.waiting()) {
      Trace done = begun;
      done.waiting = walker.waiting();
      done.for_newest = walker.waits_for_newest();
      done.failed = walker.failed();
      traces_[static_cast<size_t>(thread)].push_back(done);
      return;
    }
    if (walker.syncs()) {
      walk_on(thread, walker, begun, values);
      return;
    }
    const bool reads = walker.reads();
    std::set<int> possible = {0};
    if (const auto found = values.find(walker.label(0).location.value); reads && found != values.end())
      possible.insert(found->second.begin(), found->second.end());
    const bool writes = !reads && walker.writes();
    for (const int value : possible) {
      for (uint32_t outcome = 0; outcome < (writes ? walker.outcomes() : 1); ++outcome) {
        AxiomEvent event{thread, static_cast<int>(begun.events.size()), walker.label(value), value, 0};
        if (writes) event.written = walker.value_to_write(outcome);
        begun.events.push_back(event);
        Walker next = walker;
        next.step(value);
        walk(thread, next, begun, values);
        begun.events.pop_back();
      }
    }
  }

  void walk_on(int thread, const Walker& walker, Trace& begun, const Values& values) {
    const int index = static_cast<int>(begun.events.size());
    if (walker.joins() >= 0) {
      Trace stopped = begun;
      stopped.joining = walker.joins();
      traces_[static_cast<size_t>(thread)].push_back(stopped);
    }
    Trace next = begun;
    next.events.push_back({thread, index, walker.label(0), 0, 0});
    if (walker.joins() >= 0) next.joins.emplace_back(index, walker.joins());
    if (walker.creates() >= 0) next.creations.emplace_back(index, walker.creates());
    Walker stepped = walker;
    stepped.step(0);
    walk(thread, stepped, next, values);
  }

  // Whether the runs fit: who began was created, who joined waited for an end, who stopped at a join waits for one who
  // did not end.
  bool fit(const std::vector<const Trace*>& chosen) const {
    const auto ended = [&](int t) {
      const Trace& trace = *chosen[static_cast<size_t>(t)];
      return trace.begun && !trace.waiting && trace.joining < 0;
    };
    for (size_t t = 0; t < chosen.size(); ++t) {
      const Trace& trace = *chosen[t];
      if (trace.joining >= 0 && ended(trace.joining)) return false;
      for (const auto& [index, other] : trace.joins)
        if (!ended(other)) return false;
      if (t == 0 || !script_.created) continue;
      const bool created = std::any_of(chosen[0]->creations.begin(), chosen[0]->creations.end(),
                                       [&](const auto& creation) { return creation.second == static_cast<int>(t); });
      if (created != trace.begun) return false;
    }
    return true;
  }

  // From a thread's last event to the join, and from a creation to the first event.
  static void add_syncs(AxiomGraph& g, const std::vector<const Trace*>& chosen) {
    const auto position = [&](int thread, int index) {
      for (size_t n = 0; n < g.events.size(); ++n)
        if (g.events[n].thread == thread && g.events[n].index == index) return n;
      return kEventsOfScriptMax;
    };
    for (size_t t = 0; t < chosen.size(); ++t) {
      for (const auto& [index, other] : chosen[t]->joins) {
        const int length = static_cast<int>(chosen[static_cast<size_t>(other)]->events.size());
        if (length > 0) g.sync.add(position(other, length - 1), position(static_cast<int>(t), index));
      }
      for (const auto& [index, other] : chosen[t]->creations)
        g.sync.add(position(static_cast<int>(t), index), position(other, 0));
    }
  }

  bool choose_traces(std::vector<const Trace*>& chosen) {
    if (chosen.size() == traces_.size()) return connect(chosen);
    for (const Trace& trace : traces_[chosen.size()]) {
      chosen.push_back(&trace);
      if (!choose_traces(chosen)) return false;
      chosen.pop_back();
    }
    return true;
  }

  static bool values_fit(const std::vector<const Trace*>& chosen) {
    uint64_t read = 0, written = 0;
    for (const Trace* trace : chosen) {
      read |= trace->read;
      written |= trace->written;
    }
    return (read & ~written) == 0;
  }

  bool connect(const std::vector<const Trace*>& chosen) {
    if (!values_fit(chosen) || !fit(chosen)) return true;
    AxiomGraph g;
    std::set<uint32_t> locations;
    for (const Trace* trace : chosen)
      for (const AxiomEvent& e : trace->events)
        if (is_access(e)) locations.insert(e.label.location.value);
    for (const uint32_t location : locations) {
      AxiomEvent initial;
      initial.label.kind = Kind::Write;
      initial.label.location = {location};
      g.events.push_back(initial);
    }
    waiting_ = failed_ = false;
    for_newest_.clear();
    for (const Trace* trace : chosen) {
      g.events.insert(g.events.end(), trace->events.begin(), trace->events.end());
      if (trace->for_newest) for_newest_.push_back(g.events.size() - 1);
      waiting_ = waiting_ || trace->waiting || trace->joining >= 0;
      failed_ = failed_ || trace->failed;
    }
    if (g.events.size() > kEventsOfScriptMax) return false;
    g.po = g.pairs([](const AxiomEvent& a, const AxiomEvent& b) {
      return (a.thread < 0 && b.thread >= 0) || (a.thread >= 0 && a.thread == b.thread && a.index < b.index);
    });
    add_syncs(g, chosen);
    return choose_reads(g, 0, {locations.begin(), locations.end()});
  }

  bool choose_reads(AxiomGraph& g, size_t n, const std::vector<uint32_t>& locations) {
    if (!(g.po | g.sync | g.rf).acyclic()) return true;
    while (n < g.events.size() && !is_read(g.events[n])) ++n;
    if (n == g.events.size()) return choose_coherence(g, 0, locations);
    for (size_t w = 0; w < g.events.size(); ++w) {
      const AxiomEvent &write = g.events[w], &read = g.events[n];
      if (!is_write(write) || write.label.location != read.label.location || write.written != read.read) continue;
      const Relation before = g.rf;
      g.rf.add(w, n);
      if (!choose_reads(g, n + 1, locations)) return false;
      g.rf = before;
    }
    return true;
  }

  // Each model forbids a cycle of program order and one step of from-read, coherence and reads-from (`eco`), and another
  // write within an update. What has one already need not be completed.
  static bool is_coherent_so_far(const AxiomGraph& g) {
    const Relation rb = g.rf.inverse().then(g.co), eco = (g.rf | g.co | rb).closure();
    if (!eco.irreflexive() || !g.po.then(eco).irreflexive()) return false;
    const Relation between = rb.then(g.co);
    for (size_t n = 1; n < g.events.size(); ++n)
      if (is_update(g.events[n - 1], g.events[n]) && between.has(n - 1, n)) return false;
    return true;
  }

  bool choose_coherence(AxiomGraph& g, size_t at, const std::vector<uint32_t>& locations) {
    if (++looked_at_ > graphs_max_) return false;
    if (!is_coherent_so_far(g)) return true;
    if (at == locations.size()) return judge(g);
    std::vector<size_t> writes;
    for (size_t n = 0; n < g.events.size(); ++n)
      if (is_write(g.events[n]) && g.events[n].label.location.value == locations[at]) writes.push_back(n);
    const Relation before = g.co;
    do {
      g.co = before;
      for (size_t a = 0; a < writes.size(); ++a)
        for (size_t b = a + 1; b < writes.size(); ++b) g.co.add(writes[a], writes[b]);
      if (!choose_coherence(g, at + 1, locations)) return false;
    } while (std::next_permutation(writes.begin() + 1, writes.end()));  // the initial store stays first
    g.co = before;
    return true;
  }

  bool judge(const AxiomGraph& g) {
    const Axioms axioms(g, rules_);
    if (!axioms.atomic()) return true;
    for (const size_t read : for_newest_)
      if (axioms.rb.rows[read] != 0) return true;  // it would look again
    std::string words;
    for (size_t m = 0; m < 4; ++m) {
      if (!axioms.allows(kModels[m])) continue;
      if (words.empty()) words = text(g);
      Enumerated& result = results_[m];
      (waiting_ ? result.blocked : result.complete).insert(words);
      result.race = result.race || axioms.races();
      result.failure = result.failure || failed_;
    }
    return true;
  }

  static std::string text(const AxiomGraph& g) {
    std::string words;
    for (size_t r = 0; r < g.events.size(); ++r)
      for (size_t w = 0; w < g.events.size(); ++w)
        if (g.rf.has(w, r)) {
          words += name_of(g.events[r].thread, g.events[r].index) + "<" +
                   name_of(g.events[w].thread, g.events[w].index) + " ";
        }
    for (size_t first = 0; first < g.events.size() && g.events[first].thread < 0; ++first) {
      std::vector<size_t> writes;
      for (size_t w = 0; w < g.events.size(); ++w)
        if (g.co.has(first, w)) writes.push_back(w);
      std::sort(writes.begin(), writes.end(), [&](size_t a, size_t b) { return g.co.has(a, b); });
      words += "| ";
      for (const size_t w : writes) words += name_of(g.events[w].thread, g.events[w].index) + " ";
    }
    return words;
  }

  const Script& script_;
  graph::Rules rules_;
  std::vector<std::vector<Trace>> traces_;
  Enumerated results_[4];
  uint64_t looked_at_ = 0, graphs_max_ = 0;  // graphs, also those with a part of the coherence order
  bool waiting_ = false, failed_ = false;
  std::vector<size_t> for_newest_;
};

// What the search finds, in the same words.
class Collector {
 public:
  explicit Collector(const GraphToy& toy) : toy_(toy) {}
  bool ended(const graph::ExecutionGraph& g, GraphEnd end) {
    (end == GraphEnd::Blocked ? found.blocked : found.complete).insert(text(g));
    for (uint32_t t = 0; t < g.thread_count(); ++t) found.failure = found.failure || toy_.walker(t).failed();
    return true;
  }
  void race(const graph::ExecutionGraph&, EventId) { found.race = true; }
  static bool stopped() { return false; }
  Enumerated found;

 private:
  static std::string name(EventId id) {
    return id == graph::kInitial ? "init" : name_of(static_cast<int>(id.thread()), static_cast<int>(id.index()));
  }
  static std::string text(const graph::ExecutionGraph& g) {
    std::string words;
    std::set<uint32_t> locations;
    for (uint32_t t = 0; t < g.thread_count(); ++t) {
      for (uint32_t n = 0; n < g.length(t); ++n) {
        const graph::Event& event = g.at(EventId::make(t, n));
        if (event.label.kind == Kind::Read) words += name(event.id) + "<" + name(event.from) + " ";
        if (event.label.kind == Kind::Read || event.label.kind == Kind::Write)
          locations.insert(event.label.location.value);
      }
    }
    for (const uint32_t location : locations) {
      words += "| ";
      for (const EventId write : g.coherence({location})) words += name(write) + " ";
    }
    return words;
  }
  const GraphToy& toy_;
};

}  // namespace heddle::explore::toy
