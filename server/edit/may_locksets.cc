#include "server/edit/may_locksets.h"

#include <algorithm>
#include <set>

namespace heddle::edit {

using analysis::InteractionKind;

namespace {

const ObjectSet kNoObjects;

bool takes(InteractionKind kind) {
  return kind == InteractionKind::Lock || kind == InteractionKind::TryLock || kind == InteractionKind::ReadLock;
}

bool orders_by_lock(InteractionKind kind) { return takes(kind) || kind == InteractionKind::Unlock; }

}  // namespace

MayLocksets::MayLocksets(const Facts& facts) : facts_(facts) {
  const uint32_t count = facts.program->function_count();
  graphs_.resize(count);
  summaries_.resize(count);
  entries_.resize(count);
  for (const analysis::Role& role : facts.roles) {
    ObjectSet objects;
    for (FunctionId f : role.reachable)
      for (const Interaction& interaction : facts.interactions_of(f)) {
        objects.insert_all(interaction.objects);
        objects.insert_all(interaction.mutexes);
      }
    touched_.push_back(std::move(objects));
  }
  intern();
  if (sets_.empty()) return;
  for (uint32_t f = 0; f < count; ++f) {
    if (facts.roles_of[f].empty()) continue;
    graphs_[f] = std::make_unique<CodeGraph>(analysis::make_graph(*facts.program, FunctionId(f)));
    summaries_[f].assign(sets_.size(), 0);
    entries_[f].assign(sets_.size(), 0);
  }
  solve();
  collect();
}

void MayLocksets::intern() {
  std::map<std::vector<ObjectId>, uint32_t> known;
  for (const Interaction& interaction : facts_.interactions) {
    if (!takes(interaction.kind) && interaction.kind != InteractionKind::Unlock) continue;
    auto [at, made] = known.try_emplace(interaction.objects, static_cast<uint32_t>(sets_.size()));
    if (made) sets_.push_back(interaction.objects);
    changes_[interaction.at] = {at->second, takes(interaction.kind) ? int8_t{1} : int8_t{-1}};
  }
}

void MayLocksets::merge(Counts& into, const Counts& from) const {
  for (size_t k = 0; k < into.size(); ++k) into[k] = std::max(into[k], from[k]);
}

void MayLocksets::step(CodeAddress at, Counts& counts) const {
  if (auto change = changes_.find(at); change != changes_.end()) {
    int8_t& count = counts[change->second.first];
    count = static_cast<int8_t>(std::clamp(count + change->second.second, -3, 3));
    return;
  }
  auto callees = facts_.callees.find(at);
  if (callees == facts_.callees.end()) return;
  Counts most(counts.size(), -3);
  bool any = false;
  for (FunctionId f : callees->second)
    if (!summaries_[f.value].empty()) merge(most, summaries_[f.value]), any = true;
  if (!any) return;
  for (size_t k = 0; k < counts.size(); ++k) counts[k] = static_cast<int8_t>(std::clamp(counts[k] + most[k], -3, 3));
}

// Calls visit(index, counts before it) for every reachable instruction, until nothing grows; counts start at zero.
template <typename Visit>
void MayLocksets::walk(FunctionId f, Visit visit) const {
  const CodeGraph& graph = *graphs_[f.value];
  const auto& blocks = graph.blocks();
  if (blocks.empty()) return;
  if (!changes_locks_[f.value]) {
    const Counts none(sets_.size(), 0);
    for (const auto& block : blocks)
      for (uint32_t i = block.begin; block.reachable && i < block.end; ++i) visit(i, none);
    return;
  }
  std::vector<Counts> at_entry(blocks.size());
  at_entry[0].assign(sets_.size(), 0);
  std::vector<uint32_t> work{0};
  while (!work.empty()) {
    const uint32_t b = work.back();
    work.pop_back();
    Counts counts = at_entry[b];
    for (uint32_t i = blocks[b].begin; i < blocks[b].end; ++i) {
      visit(i, counts);
      step({f, i}, counts);
    }
    for (uint32_t s : blocks[b].successors) {
      if (at_entry[s].empty()) {
        at_entry[s] = counts;
        work.push_back(s);
        continue;
      }
      Counts merged = at_entry[s];
      merge(merged, counts);
      if (merged != at_entry[s]) at_entry[s] = std::move(merged), work.push_back(s);
    }
  }
}

bool MayLocksets::summarise(FunctionId f) {
  Counts most(sets_.size(), -3);
  bool returns = false;
  walk(f, [&](uint32_t i, const Counts& counts) {
    if (facts_.program->function(f).code[i].op == Opcode::Return) merge(most, counts), returns = true;
  });
  if (!returns) most.assign(sets_.size(), 0);
  if (most == summaries_[f.value]) return false;
  summaries_[f.value] = std::move(most);
  return true;
}

// Only functions that take or release a lock, or call one that does, change what is held.
void MayLocksets::find_changing() {
  changes_locks_.assign(graphs_.size(), false);
  std::vector<FunctionId> work;
  auto mark = [&](FunctionId f) {
    if (changes_locks_[f.value]) return;
    changes_locks_[f.value] = true;
    work.push_back(f);
  };
  for (const auto& [at, change] : changes_) mark(at.function);
  while (!work.empty()) {
    const FunctionId f = work.back();
    work.pop_back();
    for (CodeAddress call : facts_.callers_of[f.value]) mark(call.function);
  }
}

void MayLocksets::solve() {
  find_changing();
  for (int round = 0; round < 12; ++round) {
    bool changed = false;
    for (size_t f = graphs_.size(); f-- > 0;)
      if (graphs_[f] && changes_locks_[f]) changed |= summarise(FunctionId(static_cast<uint32_t>(f)));
    if (!changed) break;
  }
  std::set<FunctionId> work;
  for (uint32_t f = 0; f < graphs_.size(); ++f)
    if (graphs_[f]) work.insert(FunctionId(f));
  while (!work.empty()) {
    const FunctionId f = *work.begin();
    work.erase(work.begin());
    walk(f, [&](uint32_t i, const Counts& counts) {
      auto callees = facts_.callees.find({f, i});
      if (callees == facts_.callees.end()) return;
      for (FunctionId g : callees->second) {
        if (!graphs_[g.value]) continue;
        Counts& entry = entries_[g.value];
        bool grew = false;
        for (size_t k = 0; k < counts.size(); ++k) {
          const int8_t held = static_cast<int8_t>(std::clamp(entries_[f.value][k] + counts[k], 0, 3));
          if (held > entry[k]) entry[k] = held, grew = true;
        }
        if (grew) work.insert(g);
      }
    });
  }
}

// Statements under the same locks are many: what they use is gathered first, and then said of each lock.
void MayLocksets::collect() {
  struct Under {
    std::vector<CodeAddress> statements;
    ObjectSet used, taken;
  };
  std::map<std::vector<uint32_t>, Under> under;  // numbers of lock sets that may be held
  for (uint32_t f = 0; f < graphs_.size(); ++f) {
    if (!graphs_[f] || facts_.interactions_of(FunctionId(f)).empty()) continue;
    walk(FunctionId(f), [&](uint32_t i, const Counts& counts) {
      const Interaction* interaction = facts_.interaction({FunctionId(f), i});
      if (!interaction) return;
      std::vector<uint32_t> held;
      for (uint32_t k = 0; k < counts.size(); ++k)
        if (entries_[f][k] + counts[k] > 0) held.push_back(k);
      if (held.empty()) return;
      Under& here = under[held];
      here.statements.push_back(interaction->at);
      if (takes(interaction->kind))
        here.taken.insert_all(interaction->objects);
      else if (interaction->kind != InteractionKind::Unlock)
        here.used.insert_all(interaction->objects);
    });
  }
  for (const auto& [sets, here] : under) {
    ObjectSet locks;
    for (uint32_t k : sets) locks.insert_all(sets_[k]);
    for (CodeAddress at : here.statements) held_[at].unite(locks);
    locks.for_each([&](ObjectId lock) {
      guarded_[lock].unite(here.used);
      nested_[lock].unite(here.taken);
    });
    here.taken.for_each([&](ObjectId inner) { nested_[inner].unite(locks); });
  }
}

const ObjectSet& MayLocksets::held_at(CodeAddress statement) const {
  auto found = held_.find(statement);
  return found == held_.end() ? kNoObjects : found->second;
}

const ObjectSet& MayLocksets::guarded(ObjectId lock) const {
  auto found = guarded_.find(lock);
  return found == guarded_.end() ? kNoObjects : found->second;
}

const ObjectSet& MayLocksets::nested(ObjectId lock) const {
  auto found = nested_.find(lock);
  return found == nested_.end() ? kNoObjects : found->second;
}

// A fence far below a call orders the operations of the threads that make the call, not of all that run the fence.
std::vector<ObjectId> MayLocksets::ordered_by(const std::vector<CodeAddress>& statements) const {
  ObjectSet result;
  std::map<std::vector<analysis::RoleId>, std::set<FunctionId>> called;  // by who makes the calls
  std::vector<FunctionId> work;
  for (const CodeAddress statement : statements) {
    const std::vector<analysis::RoleId>& runners = facts_.roles_of[statement.function.value];
    if (const Interaction* interaction = facts_.interaction(statement)) {
      add_ordered(*interaction, runners, result);
      if (orders_by_lock(interaction->kind))
        for (ObjectId lock : interaction->objects) result.unite(guarded(lock));
    }
    std::set<FunctionId>& seen = called[runners];
    const auto enter = [&](CodeAddress call) {
      const auto callees = facts_.callees.find(call);
      if (callees == facts_.callees.end()) return;
      for (FunctionId callee : callees->second)
        if (seen.insert(callee).second) work.push_back(callee);
    };
    enter(statement);
    if (work.empty()) continue;
    ObjectSet own;
    for (analysis::RoleId role : runners) own.unite(touched_[role.value]);
    while (!work.empty()) {
      const FunctionId f = work.back();
      work.pop_back();
      for (const Interaction& interaction : facts_.interactions_of(f)) {
        add_ordered(interaction, runners, result);
        // A helper's locks are those of all its callers: what none of these threads uses is not theirs.
        if (orders_by_lock(interaction.kind))
          for (ObjectId lock : interaction.objects) result.unite_common(guarded(lock), own);
      }
      const auto& code = facts_.program->function(f).code;
      for (uint32_t i = 0; i < code.size(); ++i)
        if (program::is_call(code[i].op)) enter({f, i});
    }
  }
  return result.list();
}

void MayLocksets::add_ordered(const Interaction& interaction, const std::vector<analysis::RoleId>& runners,
                              ObjectSet& to) const {
  switch (interaction.kind) {
    case InteractionKind::Read:
    case InteractionKind::Write:
    case InteractionKind::Update:
    case InteractionKind::AtomicRead:
    case InteractionKind::AtomicWrite:
    case InteractionKind::AtomicUpdate:
    case InteractionKind::Free: break;  // what they order is theirs already
    case InteractionKind::Lock:
    case InteractionKind::TryLock:
    case InteractionKind::Unlock:
    case InteractionKind::ReadLock:
      for (ObjectId lock : interaction.objects) to.unite(nested(lock));
      break;
    case InteractionKind::Create:
      for (size_t r = 0; r < facts_.roles.size(); ++r)
        if (const auto& at = facts_.roles[r].created_at; std::find(at.begin(), at.end(), interaction.at) != at.end())
          to.unite(touched_[r]);
      break;
    case InteractionKind::Join:
    case InteractionKind::Fence:
      for (analysis::RoleId role : runners) to.unite(touched_[role.value]);
      break;
    case InteractionKind::Exit:  // what stands after it happens, or not: threads may be made there, and joined
      for (const ObjectSet& touched : touched_) to.unite(touched);
      break;
    default:  // everything used by threads that use the same condition variable, semaphore, barrier
      for (const ObjectSet& touched : touched_)
        if (touched.meets(interaction.objects)) to.unite(touched);
      break;
  }
}

}  // namespace heddle::edit
