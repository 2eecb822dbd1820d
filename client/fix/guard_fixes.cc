// Locks: the one that the other accesses hold, one section instead of two, a new one where there is none.
#include <algorithm>
#include <map>
#include <set>

#include "client/fix/generators.h"
#include "client/fix/lock_calls.h"
#include "client/fix/texts.h"

namespace heddle::client::fix {
namespace {

using ByScope = std::map<std::pair<std::string, NodeId>, std::vector<Spot>>;

ByScope by_scope(const std::vector<Spot>& spots) {
  ByScope out;
  for (const Spot& spot : spots) out[{spot.path, spot.scope()}].push_back(spot);
  return out;
}

// The smallest run of statements of one block that holds all the spots.
std::pair<NodeId, NodeId> common_range(const std::vector<Spot>& spots) {
  const Source& source = *spots.front().source;
  NodeId block = spots.front().block();
  const auto holds_all = [&](NodeId candidate) {
    return std::all_of(spots.begin(), spots.end(),
                       [&](const Spot& spot) { return source.is_inside(spot.statement, candidate); });
  };
  while (block != kNoNode && !holds_all(block)) block = source.block_of(block);
  if (block == kNoNode) return {kNoNode, kNoNode};
  NodeId first = kNoNode, last = kNoNode;
  for (const Spot& spot : spots) {
    const NodeId own = source.node(spot.statement).alone && spots.size() == 1
                           ? spot.statement
                           : source.outermost_in(block, spot.statement);
    if (first == kNoNode || source.node(own).begin < source.node(first).begin) first = own;
    if (last == kNoNode || source.node(own).begin > source.node(last).begin) last = own;
  }
  return {first, last};
}

bool synchronises(const Source& source, NodeId first, NodeId last, const LockCall& model) {
  for (NodeId id = first; id < source.nodes().size() && source.node(id).begin < source.node(last).end; ++id) {
    const auto call = lock_call_of(source, id);
    if (call && is_of_lock(*call, model.argument)) return true;
    const std::string_view code = source.code_of(id);
    for (const char* word : {"pthread_create", "pthread_join", "sem_wait", "thrd_join", "thrd_create"})
      if (source.node(id).children.empty() && has_word(code, word)) return true;
  }
  return false;
}

bool guard_each(Plan& plan, const std::vector<Spot>& spots, const LockCall& model) {
  std::set<NodeId> done;
  for (const Spot& spot : spots)
    if (done.insert(spot.statement).second && !guard_statements(plan.at(spot), spot.statement, spot.statement, model))
      return false;
  return true;
}

enum class Extent : uint8_t { Together, Each };

bool guard_spots(Plan& plan, const std::vector<Spot>& spots, const LockCall& model, Extent extent) {
  for (const auto& [scope, own] : by_scope(spots)) {
    const auto [first, last] = common_range(own);
    const bool together =
        extent == Extent::Together && first != kNoNode && !synchronises(*own.front().source, first, last, model);
    if (together ? !guard_statements(plan.at(own.front()), first, last, model) : !guard_each(plan, own, model))
      return false;
  }
  return true;
}

std::vector<Spot> spots_of(const std::vector<Access>& accesses, const std::string& without_lock) {
  std::vector<Spot> out;
  for (const Access& access : accesses)
    if (without_lock.empty() || std::find(access.locks.begin(), access.locks.end(), without_lock) == access.locks.end())
      out.push_back(access.spot);
  return out;
}

// The steps of the trace that touch shared objects, without those that only start or end threads.
std::vector<Spot> spots_of_memory_steps(const Situation& situation) {
  std::map<std::string, std::set<uint32_t>> threads;
  for (const Step& step : situation.steps())
    if (step.kind == "read" || step.kind == "write" || step.kind == "update") threads[step.object].insert(step.thread);
  std::vector<Spot> out = situation.places();
  for (const Step& step : situation.steps()) {
    const auto found = threads.find(step.object);
    if (found == threads.end() || found->second.size() < 2) continue;
    const bool memory = step.kind == "read" || step.kind == "write" || step.kind == "update";
    if (memory) out.push_back(step.spot);
  }
  return out;
}

// Those that accesses hold, by how many of them do.
std::vector<std::string> locks_of_others(const Situation& situation) {
  std::map<std::string, int> holders;
  for (const Access& access : situation.accesses())
    for (const std::string& lock : access.locks) ++holders[lock];
  std::vector<std::string> ranked;
  for (const auto& [lock, count] : holders) ranked.push_back(lock);
  std::stable_sort(ranked.begin(), ranked.end(),
                   [&](const std::string& a, const std::string& b) { return holders[a] > holders[b]; });
  return ranked;
}

// The call that takes the lock later in the block of the accesses, which comes first, or in a block around it.
std::optional<LockCall> taken_after(const std::vector<Spot>& spots, const std::string& lock) {
  const Source& source = *spots.front().source;
  NodeId first = kNoNode;
  for (const Spot& spot : spots)
    if (first == kNoNode || source.node(spot.statement).begin < source.node(first).begin) first = spot.statement;
  for (const LockCall& call : lock_calls_in(source, spots.front().scope())) {
    if (!is_of_lock(call, lock) || source.node(call.statement).begin < source.node(first).begin) continue;
    const bool takes = call.action != LockAction::Release && call.action != LockAction::Try;
    const bool inside = source.is_inside(first, source.block_of(call.statement));
    return takes && inside ? std::optional(call) : std::nullopt;
  }
  return std::nullopt;
}

// Before the first of the accesses, and given back at the exits that come before its old place.
bool move_up(Draft& draft, const std::vector<Spot>& spots, const LockCall& call) {
  const Source& source = draft.source();
  NodeId first = kNoNode;
  for (const Spot& spot : spots) {
    const NodeId own = source.outermost_in(source.block_of(call.statement), spot.statement);
    if (own == kNoNode) return false;
    if (first == kNoNode || source.node(own).begin < source.node(first).begin) first = own;
  }
  draft.before(first, std::string(source.text_of(call.statement)));
  draft.remove(call.statement);
  if (call.action == LockAction::Guard) return true;
  const std::string release = call.family.empty() ? call.argument + ".unlock();" : release_text(call);
  for (const NodeId exit : source.statements_of(source.scope_of(call.statement)))
    if (source.node(exit).kind == NodeKind::Return && source.node(exit).begin > source.node(first).begin &&
        source.node(exit).begin < source.node(call.statement).begin && !before_exit(draft, exit, release))
      return false;
  return true;
}

}  // namespace

// "if (!head) return; lock_guard guard(m); ...": what was read before the lock may hold no more once it is taken.
void move_lock_up(const Situation& situation, Candidates& out) {
  for (const std::string& lock : locks_of_others(situation)) {
    const std::vector<Spot> bare = spots_of(situation.accesses(), lock);
    const auto model = model_of(situation, lock);
    if (bare.empty() || !model) continue;
    Plan plan("take '" + lock + "' earlier, so that it covers the accesses of '" + situation.object() + "' before it");
    bool moved = false, good = true;
    for (const auto& [scope, own] : by_scope(bare)) {
      const auto call = taken_after(own, lock);
      moved = moved || call.has_value();
      good = good && (call ? move_up(plan.at(own.front()), own, *call) : guard_each(plan, own, as_writer(*model)));
    }
    if (moved && good) plan.finish(out);
  }
}

void take_guard_of_others(const Situation& situation, Candidates& out) {
  for (const std::string& lock : locks_of_others(situation)) {
    const auto model = model_of(situation, lock);
    if (!model) continue;
    const std::vector<Spot> bare = spots_of(situation.accesses(), lock);
    if (bare.empty()) continue;
    for (const Extent extent : {Extent::Together, Extent::Each}) {
      Plan plan("take '" + lock + "' around the accesses of '" + situation.object() + "'");
      if (guard_spots(plan, bare, as_writer(*model), extent)) plan.finish(out);
    }
  }
}

// "unlock(m); ... lock(m);" in one block: what was true before the first need not be true after the second.
void merge_critical_sections(const Situation& situation, Candidates& out) {
  std::set<std::pair<const Source*, NodeId>> scopes;
  for (const Spot& spot : situation.spots_of_steps()) scopes.insert({spot.source, spot.scope()});
  Plan everywhere("keep the lock between the two critical sections of each function");
  for (const Spot& spot : situation.spots_of_steps()) {
    if (scopes.erase({spot.source, spot.scope()}) == 0) continue;
    const Source& source = *spot.source;
    const auto calls = lock_calls_in(source, spot.scope());
    for (size_t i = 0; i + 1 < calls.size(); ++i) {
      const bool gap = calls[i].action == LockAction::Release && calls[i + 1].action != LockAction::Release &&
                       calls[i].argument == calls[i + 1].argument && calls[i + 1].action != LockAction::Guard;
      if (!gap) continue;
      Plan plan("keep '" + last_name(calls[i].argument) + "' between the critical sections of " + spot.function);
      for (Plan* one : {&plan, &everywhere}) {
        one->at(spot).remove(calls[i].statement);
        one->at(spot).remove(calls[i + 1].statement);
        // The second section was in a block of its own: its release moves to after that block.
        if (source.block_of(calls[i].statement) == source.block_of(calls[i + 1].statement)) continue;
        if (i + 2 >= calls.size() || calls[i + 2].action != LockAction::Release) continue;
        const NodeId outer = source.outermost_in(source.block_of(calls[i].statement), calls[i + 2].statement);
        if (outer == kNoNode) continue;
        one->at(spot).remove(calls[i + 2].statement);
        one->at(spot).after(outer, release_text(calls[i + 2]));
      }
      plan.finish(out);
    }
  }
  everywhere.finish(out);
}

void share_new_lock(const Situation& situation, Candidates& out) {
  const bool race = situation.rule() == "data-race";
  const std::vector<Spot> all = race ? spots_of(situation.accesses(), "") : spots_of_memory_steps(situation);
  if (all.empty()) return;
  const Source& source = *all.front().source;
  if (std::any_of(all.begin(), all.end(), [&](const Spot& spot) { return spot.source != &source; })) return;
  std::vector<LockCall> models;
  if (!race)  // a lock that is there already comes first
    for (const LockCall& call : lock_calls_in(source))
      if (call.action != LockAction::Release && call.action != LockAction::Try && models.empty())
        models.push_back(call);
  const NewLock fresh = new_lock(source, situation.object(), situation.is_cpp());
  models.push_back(fresh.model);
  for (const LockCall& model : models) {
    const bool is_new = model.argument == fresh.model.argument;
    for (const Extent extent : {Extent::Together, Extent::Each}) {
      Plan plan(is_new ? "guard the accesses by a new lock '" + last_name(fresh.model.argument) + "'"
                       : "take '" + last_name(model.argument) + "' around all that the threads do with it");
      if (is_new) declare(plan.at(all.front()), fresh.include, fresh.declaration);
      if (guard_spots(plan, all, as_writer(model), extent)) plan.finish(out);
    }
  }
}

// The last resort: what the threads run first happens as a whole.
void exclude_whole_threads(const Situation& situation, Candidates& out) {
  std::map<uint32_t, Spot> entries;
  for (const Step& step : situation.steps())
    if (step.thread != 0) entries.try_emplace(step.thread, step.spot);
  if (entries.empty()) return;
  const Spot& first = entries.begin()->second;
  const NewLock fresh = new_lock(*first.source, situation.object(), situation.is_cpp());
  Plan plan("let one thread after the other do what " + first.function + " does, by a new lock '" +
            last_name(fresh.model.argument) + "'");
  declare(plan.at(first), fresh.include, fresh.declaration);
  std::set<NodeId> done;
  for (const auto& [thread, entry] : entries) {
    const NodeId body = entry.source->body_of(entry.scope());
    if (entry.source != first.source || body == kNoNode || entry.source->node(body).children.empty()) return;
    if (!done.insert(body).second) continue;
    const auto& statements = entry.source->node(body).children;
    if (!guard_statements(plan.at(entry), statements.front(), statements.back(), fresh.model)) return;
  }
  plan.finish(out);
}

// Writes under a lock that is held for reading.
void take_as_writer(const Situation& situation, Candidates& out) {
  Plan plan("take the lock for writing, since the section writes");
  std::set<std::pair<const Source*, NodeId>> done;
  for (const Spot& spot : situation.spots_of_steps()) {
    for (const LockCall& call : lock_calls_in(*spot.source, spot.scope())) {
      if (call.action != LockAction::TakeRead && call.guard.find("shared_lock") == call.guard.npos) continue;
      if (!done.insert({spot.source, call.statement}).second) continue;
      const Node& node = spot.source->node(call.statement);
      std::string text(spot.source->text_of(call.statement));
      for (const auto& [from, to] :
           {std::pair{"rdlock", "wrlock"}, {"lock_shared", "lock"}, {"shared_lock", "unique_lock"}})
        if (const size_t at = text.find(from); at != text.npos) {
          text.replace(at, std::string_view(from).size(), to);
          break;
        }
      plan.at(spot).replace(node.begin, node.end, text);
    }
  }
  plan.finish(out);
}

}  // namespace heddle::client::fix
