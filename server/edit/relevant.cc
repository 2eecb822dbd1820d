// The relevant objects: a closure under the rules of docs/ALGORITHM.md.
#include <algorithm>
#include <map>

#include "server/edit/edit.h"
#include "server/edit/influence.h"
#include "server/edit/may_locksets.h"

namespace heddle::edit {
namespace {

using analysis::InteractionKind;

bool orders(InteractionKind kind) {
  switch (kind) {
    case InteractionKind::Wait:
    case InteractionKind::Signal:
    case InteractionKind::SemaphoreWait:
    case InteractionKind::SemaphorePost:
    case InteractionKind::Barrier:
    case InteractionKind::Once: return true;
    default: return false;
  }
}

class Closure {
 public:
  Closure(const Facts& facts, const Impact& impact)
      : facts_(facts),
        summaries_(facts),
        views_(facts, summaries_),
        influence_(facts, views_),
        may_locksets_(facts),
        impact_(impact) {}

  Relevant run() {
    relevant_.objects.assign(facts_.objects.size(), false);
    prepare();
    for (ObjectId o : impact_.seeds) add(o, "the change touches it", {});
    for (const Fragment& fragment : impact_.fragments) {
      for (ObjectId o : fragment.objects) add(o, "the change touches it", {});
      if (fragment.kind == ChangeKind::Deleted) continue;  // its statements are what is left around the place
      for (uint32_t i : fragment.statements)
        for (ObjectId o : influence_.deciding({fragment.function, i})) add(o, "it decides a changed statement", {});
    }
    if (influence_.ends_process())
      for (uint32_t o = 0; o < facts_.objects.size(); ++o)
        if (universe_[o]) add(ObjectId(o), "a shared value decides whether the process ends early", {});
    while (!work_.empty()) {
      const ObjectId o = work_.back();
      work_.pop_back();
      expand(o);
    }
    relevant_.everything = true;
    for (uint32_t o = 0; o < facts_.objects.size(); ++o) relevant_.everything &= !universe_[o] || relevant_.objects[o];
    return std::move(relevant_);
  }

 private:
  void prepare() {
    universe_.assign(facts_.objects.size(), false);
    ordered_.assign(facts_.roles.size(), false);
    for (uint32_t n = 0; n < facts_.interactions.size(); ++n) {
      const Interaction& interaction = facts_.interactions[n];
      for (const auto* list : {&interaction.objects, &interaction.mutexes})
        for (ObjectId o : *list) universe_[o.value] = true, used_at_[o].push_back(n);
    }
    for (uint32_t o = 0; o < facts_.objects.size(); ++o)
      if (universe_[o]) groups_[influence_.group_of(ObjectId(o))].push_back(ObjectId(o));
  }

  void add(ObjectId o, const char* why, ObjectId through) {
    if (!universe_[o.value] || relevant_.objects[o.value]) return;
    relevant_.objects[o.value] = true;
    known_.insert(o);
    relevant_.reasons.push_back("'" + facts_.objects[o.value].name + "': " + why +
                                (through.valid() ? " '" + facts_.objects[through.value].name + "'" : ""));
    work_.push_back(o);
  }

  void expand(ObjectId o) {
    for (ObjectId other : groups_[influence_.group_of(o)])
      add(other, "its value and those of others decide each other's operations, as with", o);
    may_locksets_.nested(o).for_each([&](ObjectId lock) { add(lock, "a lock nested with", o); });
    for (uint32_t n : used_at_[o]) {
      const Interaction& interaction = facts_.interactions[n];
      may_locksets_.held_at(interaction.at).for_each_missing(known_, [&](ObjectId lock) {
        add(lock, "a lock held around a use of", o);
      });
      for (ObjectId mutex : interaction.mutexes) add(mutex, "the mutex of", o);
    }
    // What lets the threads that use it wait for each other; so the conditions that are waited for with a mutex, too.
    for (uint32_t r = 0; r < facts_.roles.size(); ++r) {
      if (ordered_[r] || !may_locksets_.touched(analysis::RoleId(r)).contains(o)) continue;
      ordered_[r] = true;
      for (FunctionId f : facts_.roles[r].reachable)
        for (const Interaction& interaction : facts_.interactions_of(f))
          if (orders(interaction.kind))
            for (ObjectId other : interaction.objects) add(other, "it may order uses of", o);
    }
  }

  const Facts& facts_;
  Summaries summaries_;
  Views views_;
  Influence influence_;
  MayLocksets may_locksets_;
  const Impact& impact_;
  Relevant relevant_;
  std::vector<bool> universe_;  // objects of interactions
  std::map<ObjectId, std::vector<uint32_t>> used_at_;
  std::map<uint32_t, std::vector<ObjectId>> groups_;
  ObjectSet known_;            // the relevant ones, as bits
  std::vector<bool> ordered_;  // roles whose orders were added
  std::vector<ObjectId> work_;
};

}  // namespace

Relevant relevant_objects(const analysis::Facts& facts, const Impact& impact) {
  Relevant relevant;
  relevant.objects.assign(facts.objects.size(), false);
  if (impact.everything) {
    relevant.objects.assign(facts.objects.size(), true);
    relevant.everything = true;
    return relevant;
  }
  if (impact.fragments.empty() && impact.seeds.empty()) return relevant;
  return Closure(facts, impact).run();
}

}  // namespace heddle::edit
