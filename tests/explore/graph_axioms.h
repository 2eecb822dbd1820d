// The axioms of the memory models as the papers write them, over relations as matrices. Shares the language with
// graph_toy.h, and no code with server/graph but its words.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <vector>

#include "tests/explore/graph_toy.h"

namespace heddle::explore::toy {

constexpr size_t kEventsOfScriptMax = 32;

// A relation on up to 32 events.
struct Relation {
  std::array<uint32_t, kEventsOfScriptMax> rows{};
  size_t size = 0;  // events from this one on are not in it

  bool has(size_t a, size_t b) const { return rows[a] >> b & 1; }
  void add(size_t a, size_t b) {
    rows[a] |= 1u << b;
    size = std::max(size, std::max(a, b) + 1);
  }
  Relation operator|(const Relation& other) const {
    Relation result = *this;
    result.size = std::max(size, other.size);
    for (size_t n = 0; n < other.size; ++n) result.rows[n] |= other.rows[n];
    return result;
  }
  Relation operator&(const Relation& other) const {
    Relation result = *this;
    for (size_t n = 0; n < size; ++n) result.rows[n] &= other.rows[n];
    return result;
  }
  Relation operator-(const Relation& other) const {
    Relation result = *this;
    for (size_t n = 0; n < size; ++n) result.rows[n] &= ~other.rows[n];
    return result;
  }
  // First this, then the other.
  Relation then(const Relation& other) const {
    Relation result;
    result.size = std::max(size, other.size);
    for (size_t n = 0; n < size; ++n)
      for (uint32_t rest = rows[n]; rest != 0; rest &= rest - 1)
        result.rows[n] |= other.rows[static_cast<size_t>(std::countr_zero(rest))];
    return result;
  }
  Relation inverse() const {
    Relation result;
    for (size_t a = 0; a < size; ++a)
      for (uint32_t rest = rows[a]; rest != 0; rest &= rest - 1)
        result.add(static_cast<size_t>(std::countr_zero(rest)), a);
    return result;
  }
  Relation closure() const {
    Relation result = *this;
    for (size_t k = 0; k < size; ++k)
      for (size_t n = 0; n < size; ++n)
        if (result.has(n, k)) result.rows[n] |= result.rows[k];
    return result;
  }
  bool irreflexive() const {
    for (size_t n = 0; n < size; ++n)
      if (has(n, n)) return false;
    return true;
  }
  bool acyclic() const { return closure().irreflexive(); }
  bool empty() const {
    return std::all_of(rows.begin(), rows.begin() + size, [](uint32_t row) { return row == 0; });
  }
};

struct AxiomEvent {
  int thread = -1;  // -1: the initial store
  int index = 0;
  Label label;
  int read = 0, written = 0;
};

// A graph with its relations; event numbers are positions in `events`, the initial stores first.
struct AxiomGraph {
  std::vector<AxiomEvent> events;
  Relation po, rf, co;
  Relation sync;  // creation to beginning, end to join

  Relation only(const auto& filter) const {
    Relation result;
    for (size_t n = 0; n < events.size(); ++n)
      if (filter(events[n])) result.add(n, n);
    return result;
  }
  Relation pairs(const auto& filter) const {
    Relation result;
    for (size_t a = 0; a < events.size(); ++a)
      for (size_t b = 0; b < events.size(); ++b)
        if (filter(events[a], events[b])) result.add(a, b);
    return result;
  }
};

inline bool is_access(const AxiomEvent& e) { return e.label.kind == Kind::Read || e.label.kind == Kind::Write; }
inline bool is_read(const AxiomEvent& e) { return e.label.kind == Kind::Read; }
inline bool is_write(const AxiomEvent& e) { return e.label.kind == Kind::Write; }
inline bool is_fence(const AxiomEvent& e) { return e.label.kind == Kind::Fence; }
inline bool is_atomic(const AxiomEvent& e) { return e.thread >= 0 && e.label.order != Order::Plain; }
inline bool is_seq_cst(const AxiomEvent& e) { return e.thread >= 0 && e.label.order == Order::SequentiallyConsistent; }

// A read and the write that belongs to it.
inline bool is_update(const AxiomEvent& a, const AxiomEvent& b) {
  return a.thread >= 0 && a.thread == b.thread && b.index == a.index + 1 && is_read(a) && is_write(b) &&
         b.label.part == Part::Update;
}

struct Axioms {
  const AxiomGraph& g;
  graph::Rules rules;
  Relation identity, same_location, rb, eco, rmw, hb;

  Axioms(const AxiomGraph& graph, graph::Rules rules_) : g(graph), rules(rules_) {
    identity = g.only([](const AxiomEvent&) { return true; });
    same_location = g.pairs([](const AxiomEvent& a, const AxiomEvent& b) {
      return is_access(a) && is_access(b) && a.label.location == b.label.location;
    });
    rb = g.rf.inverse().then(g.co);
    eco = (g.rf | g.co | rb).closure();
    rmw = g.pairs(is_update);
    hb = happens_before();
  }

  Relation maybe(const Relation& r) const { return r | identity; }

  Relation happens_before() const {
    const Relation atomic_write = g.only([](const AxiomEvent& e) { return is_write(e) && is_atomic(e); });
    const Relation atomic_read = g.only([](const AxiomEvent& e) { return is_read(e) && is_atomic(e); });
    const Relation fence = g.only(is_fence);
    const Relation release =
        g.only([](const AxiomEvent& e) { return !is_read(e) && is_atomic(e) && graph::releases(e.label.order); });
    const Relation acquire =
        g.only([](const AxiomEvent& e) { return !is_write(e) && is_atomic(e) && graph::acquires(e.label.order); });
    const Relation chain = maybe(g.rf.then(rmw).closure());
    Relation sequence = atomic_write.then(chain);
    sequence = maybe(own_stores()).then(sequence);
    const Relation sw = release.then(maybe(fence.then(g.po)))
                            .then(sequence)
                            .then(g.rf)
                            .then(atomic_read)
                            .then(maybe(g.po.then(fence)))
                            .then(acquire);
    return (g.po | g.sync | sw).closure();
  }

  // From a write to later ones of its thread at the location, if each on the way continues the sequence.
  Relation own_stores() const {
    const Relation later = g.po & same_location & g.pairs([](const AxiomEvent& a, const AxiomEvent& b) {
      return is_write(a) && is_write(b) && a.thread >= 0;
    });
    const Relation next = later - later.then(later);
    const Relation continuing = g.only([](const AxiomEvent& e) { return is_atomic(e) && e.label.continues_own; });
    return next.then(continuing).closure();
  }

  bool atomic() const { return (rmw & rb.then(g.co)).empty(); }
  bool coherent(const Relation& order) const { return order.then(maybe(eco)).irreflexive(); }

  bool seq_cst(const Relation& order, const auto& is_member) const {
    const Relation member = g.only(is_member);
    const Relation fence = g.only([&](const AxiomEvent& e) { return is_member(e) && is_fence(e); });
    const Relation elsewhere = rules.updates == graph::SeqCstUpdates::AsInStandard ? g.po - same_location : g.po;
    const Relation scb = g.po | elsewhere.then(order).then(elsewhere) | (order & same_location) | g.co | rb;
    const Relation base = (member | fence.then(maybe(order))).then(scb).then(member | maybe(order).then(fence));
    const Relation fences = fence.then(order | order.then(eco).then(order)).then(fence);
    return (base | fences).acyclic();
  }

  bool sc() const { return atomic() && (g.po | g.sync | g.rf | g.co | rb).acyclic(); }

  bool tso() const {
    const Relation locked = g.only([](const AxiomEvent& e) { return e.label.part != Part::None; });
    const Relation barrier = g.only([](const AxiomEvent& e) { return is_fence(e) && is_seq_cst(e); });
    const Relation store = g.only([](const AxiomEvent& e) { return is_write(e) && is_seq_cst(e); });
    const Relation weak = g.pairs([](const AxiomEvent& a, const AxiomEvent& b) { return is_write(a) && is_read(b); });
    const Relation no_fence = g.only([](const AxiomEvent& e) { return !is_fence(e) || is_seq_cst(e); });
    const Relation po = no_fence.then(g.po).then(no_fence);
    const Relation kept = (po - weak) | po.then(locked) | locked.then(po) | po.then(barrier).then(po) | store.then(po);
    const Relation external = g.rf - g.po;
    return atomic() && ((g.po & same_location) | g.rf | g.co | rb).acyclic() &&
           (kept | maybe(g.po).then(g.sync) | external | g.co | rb).acyclic();
  }

  bool ra() const {
    const Relation causal = (g.po | g.sync | g.rf).closure();
    return atomic() && coherent(causal) &&
           seq_cst(causal, [](const AxiomEvent& e) { return is_fence(e) && is_seq_cst(e); });
  }

  bool rc11() const { return atomic() && coherent(hb) && seq_cst(hb, is_seq_cst); }

  bool allows(MemoryModel model) const {
    switch (model) {
      case MemoryModel::Sc: return sc();
      case MemoryModel::Tso: return tso();
      case MemoryModel::Ra: return ra();
      case MemoryModel::Rc11: return rc11();
    }
    return false;
  }

  bool races() const {
    return !(g.pairs([](const AxiomEvent& a, const AxiomEvent& b) {
              return a.thread >= 0 && b.thread >= 0 && a.thread != b.thread && is_access(a) && is_access(b) &&
                     a.label.location == b.label.location && (is_write(a) || is_write(b)) &&
                     (!is_atomic(a) || !is_atomic(b));
            }) -
             (hb | hb.inverse()))
                .empty();
  }
};

}  // namespace heddle::explore::toy
