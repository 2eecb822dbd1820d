#include "server/edit/change_set.h"

#include <algorithm>
#include <set>

#include "server/analysis/object_name.h"
#include "server/edit/hazards.h"

namespace heddle::edit {

using analysis::InteractionKind;

ChangeSet::ChangeSet(const FactsPtr& before, const FactsPtr& after)
    : versions_(before, after),
      old_summaries_(*before),
      new_summaries_(*after),
      old_views_(*before, old_summaries_),
      new_views_(*after, new_summaries_),
      propagation_(new_views_) {
  compare_functions();
  compare_calls();
  compare_globals();
  compare_types();
  compare_units();
  compare_definitions();
  propagation_.run();
  for (CodeAddress at : propagation_.statements()) site(at, ChangeKind::Changed);
  judge_became_shared();
  values_before_threads();
  propagation_.run();
  for (CodeAddress at : propagation_.statements()) site(at, ChangeKind::Changed);
  compare_roles();
  compare_hidden();
  calls_of_known_functions();
  describe_harmless();
}

void ChangeSet::site(CodeAddress at, ChangeKind kind, std::vector<ObjectId> old_objects, CodeAddress old_at) {
  auto [entry, made] = sites.try_emplace(at);
  if (made) entry->second.kind = kind;
  if (old_at.function.valid()) entry->second.old_at = old_at;
  unite(entry->second.old_objects, old_objects);
}

// The objects of a local variable, parts of it too.
std::vector<ObjectId> ChangeSet::allocated_as(FunctionId after, uint32_t stack_object) const {
  const Facts& facts = versions_.after();
  const auto& code = facts.program->function(after).code;
  std::vector<ObjectId> result;
  for (uint32_t i = 0; i < code.size(); ++i) {
    if (code[i].op != Opcode::StackAllocate || code[i].b != stack_object) continue;
    const ObjectId whole = facts.object_of(CodeAddress{after, i});
    if (!whole.valid()) continue;
    for (uint32_t o = 0; o < facts.objects.size(); ++o)
      if (ObjectId(o) == whole || facts.objects[o].whole == whole) result.push_back(ObjectId(o));
  }
  return result;
}

CodeAddress ChangeSet::old_of(CodeAddress at) const {
  if (const auto found = sites.find(at); found != sites.end() && found->second.old_at.function.valid())
    return found->second.old_at;
  if (newly_run(at.function) || !versions_.same_code(at.function)) return {};
  return {versions_.old_of(at.function), at.index};
}

// Entry and callable of an old role in the new version; none if they are gone.
std::pair<FunctionId, FunctionId> ChangeSet::started(const analysis::Role& old) const {
  const FunctionId entry = versions_.new_of(old.entry);
  if (!old.callable.valid()) return {entry, {}};
  const FunctionId callable = versions_.new_of(old.callable);
  return callable.valid() ? std::pair(entry, callable) : std::pair(FunctionId(), FunctionId());
}

// No thread of the old version ran it.
bool ChangeSet::newly_run(FunctionId after) const {
  const FunctionId before = versions_.old_of(after);
  return !before.valid() || versions_.before().roles_of[before.value].empty();
}

// A new call of what some thread ran before. Functions that no thread ran have sites of their own.
bool ChangeSet::adds_known(CodeAddress call) {
  const auto callees = versions_.after().callees.find(call);
  if (callees == versions_.after().callees.end()) return false;
  const auto known = [&](FunctionId f) { return !newly_run(f); };
  return std::any_of(callees->second.begin(), callees->second.end(), known) && propagation_.call_matters(call);
}

void ChangeSet::compare_functions() {
  const Facts& after = versions_.after();
  for (uint32_t f = 0; f < after.program->function_count(); ++f) {
    const FunctionId function(f), old = versions_.old_of(function);
    const bool same = versions_.same_code(function);
    if (old.valid() && !same && after.program->original(function) == function) differing_.push_back(function);
    if (after.roles_of[f].empty()) continue;
    if (!same && after.program->function(function).in_project) differing.insert(function);
    if (newly_run(function))
      added_function(function);
    else if (same)
      same_function(old, function);
    else
      compare_function(old, function);
  }
  const Facts& before = versions_.before();
  for (uint32_t f = 0; f < before.program->function_count(); ++f) {
    if (before.roles_of[f].empty()) continue;
    const FunctionId now = versions_.new_of(FunctionId(f));
    if (!now.valid() || after.roles_of[now.value].empty()) removed_function(FunctionId(f));
  }
}

void ChangeSet::added_function(FunctionId function) {
  const FunctionView& view = new_views_.of(function);
  for (uint32_t i = 0; i < view.code().code.size(); ++i)
    if (view.reachable(i) &&
        (view.interaction(i) || view.fails(i) || view.gives_exit_code(i) || view.hazard(i) != Hazard::None))
      site({function, i}, ChangeKind::Inserted);
  new_summaries_.writes(function).for_each([&](ObjectId o) {
    if (!versions_.after().objects[o.value].shared) propagation_.object_changed(o);
  });
  propagation_.result_changed(function);
}

void ChangeSet::removed_function(FunctionId function) {
  unite(gone, versions_.map(old_summaries_.touches(function).list()));
}

// The code is the same; what it means may differ: objects that became shared, pointers that reach other objects.
void ChangeSet::same_function(FunctionId before, FunctionId after) {
  const auto& facts = versions_.after();
  for (const Interaction& now : facts.interactions_of(after)) {
    const Interaction* old = versions_.before().interaction({before, now.at.index});
    if (!old) {
      became_shared_.push_back(now.at);
      continue;
    }
    auto reached = [&](const std::vector<ObjectId>& objects, const std::vector<ObjectId>& earlier) {
      const std::vector<ObjectId> known = versions_.map(earlier);
      return std::includes(known.begin(), known.end(), objects.begin(), objects.end());
    };
    if (old->kind != now.kind || !reached(now.objects, old->objects))
      site(now.at, ChangeKind::Changed, versions_.map(old->objects), old->at);
  }
}

// A statement in unchanged code that touches something now shared is taken as inserted, unless every new conflict on it
// has a changed statement on one side: the pairs of that statement cover it.
void ChangeSet::judge_became_shared() {
  if (became_shared_.empty()) return;
  const Facts& before = versions_.before();
  const Facts& after = versions_.after();
  std::map<ObjectId, std::set<RoleId>> users;  // new object -> roles of the old version that used it
  for (const auto& [key, objects] : before.operand_pointees)
    for (ObjectId o : versions_.map(objects)) {
      const auto& roles_here = before.roles_of[CodeAddress::from_bits(key / 16).function.value];
      users[o].insert(roles_here.begin(), roles_here.end());
    }
  auto covered = [&](ObjectId o) {
    const std::set<RoleId>& known = users[o];
    std::pair<FunctionId, FunctionId> owner;  // what the only thread that used it starts with, in the new version
    if (known.size() == 1 && before.roles[known.begin()->value].multiplicity == analysis::Multiplicity::One)
      owner = started(before.roles[known.begin()->value]);
    bool writes = true, others = owner.first.valid();
    for (const Interaction& interaction : after.interactions) {
      if (sites.contains(interaction.at) ||
          !std::binary_search(interaction.objects.begin(), interaction.objects.end(), o))
        continue;
      writes &= interaction.kind == InteractionKind::Read || interaction.kind == InteractionKind::AtomicRead;
      for (RoleId r : after.roles_of[interaction.at.function.value])
        others &= std::pair(after.roles[r.value].entry, after.roles[r.value].callable) == owner &&
                  after.roles[r.value].multiplicity == analysis::Multiplicity::One;
    }
    return writes || others;
  };
  std::vector<CodeAddress> inserted;
  for (CodeAddress at : became_shared_) {
    const auto& objects = after.interaction(at)->objects;
    if (objects.empty() || !std::all_of(objects.begin(), objects.end(), covered)) inserted.push_back(at);
  }
  for (CodeAddress at : inserted) site(at, ChangeKind::Inserted);
}

// What main stores before any thread exists is an initial value to all of them.
void ChangeSet::values_before_threads() {
  const Facts& after = versions_.after();
  std::set<ObjectId> objects;
  for (const auto& [at, changed] : sites) {
    const Interaction* interaction = after.interaction(at);
    if (!interaction || after.may_happen_in_parallel(at)) continue;
    if (interaction->kind == InteractionKind::Write || interaction->kind == InteractionKind::Update ||
        interaction->kind == InteractionKind::AtomicWrite)
      objects.insert(interaction->objects.begin(), interaction->objects.end());
  }
  for (ObjectId o : objects) {
    if (!after.objects[o.value].shared) continue;
    const std::optional<std::string> name = analysis::project_name(after, o);
    const std::string note =
        "what " + (name ? "'" + *name + "'" : "memory of the library") +
        " holds when the threads start changed: every statement that touches it is taken as changed";
    if (std::find(widened.begin(), widened.end(), note) == widened.end()) widened.push_back(note);
    touch_everything_of(o);
  }
}

void ChangeSet::compare_function(FunctionId before, FunctionId after) {
  const FunctionView& old_view = old_views_.of(before);
  const FunctionView& new_view = new_views_.of(after);
  const FunctionDiff difference = diff(versions_, old_view, new_view);
  remember(difference, old_view, new_view);
  auto visible = [&](uint32_t i) {
    return new_view.interaction(i) || new_view.fails(i) || new_view.gives_exit_code(i) ||
           may_lose_block(versions_.after(), new_view, i);
  };
  for (uint32_t i : difference.inserted) {
    const CodeAddress at{after, i};
    calls_after_.whole.push_back(at);
    if (visible(i) || adds_known(at)) site(at, ChangeKind::Inserted);
    if (versions_.after().callees.contains(at)) {
      new_view.writes(i).for_each([&](ObjectId o) {
        if (!versions_.after().objects[o.value].shared) propagation_.object_changed(o);
      });
    } else {
      propagation_.effect_changed(at);
    }
  }
  for (const FunctionDiff::Changed& changed : difference.changed) {
    const CodeAddress at{after, changed.after};
    (changed.occurrence ? calls_before_.whole : calls_before_.arguments).push_back({before, changed.before});
    (changed.occurrence ? calls_after_.whole : calls_after_.arguments).push_back(at);
    const Interaction* old = old_view.interaction(changed.before);
    if (visible(changed.after))
      site(at, ChangeKind::Changed, old ? versions_.map(old->objects) : std::vector<ObjectId>{},
           {before, changed.before});
    if (versions_.after().callees.contains(at)) {
      const Opcode op = new_view.code().code[changed.after].op;  // another function may be called, or called back
      if (op == Opcode::CallIndirect || new_view.calls_library(changed.after)) writes_changed(old_view, changed.before);
      if (changed.occurrence) propagation_.occurrence_changed(at);
      propagation_.operands_changed(at, changed.operands);
    } else {
      propagation_.effect_changed(at);
    }
  }
  may_fail_now(difference, new_view);
  for (uint32_t i : difference.resumed) propagation_.occurrence_changed({after, i});
  for (const FunctionDiff::Deleted& gone_statement : difference.deleted) deleted(old_view, gone_statement, after);
  frees_deleted(old_view, difference, after);

  const program::Function& old_code = old_view.code();
  const program::Function& new_code = new_view.code();
  if (old_code.parameter_slots != new_code.parameter_slots || old_code.result_slots != new_code.result_slots ||
      old_code.variadic != new_code.variadic) {
    widened.push_back("the signature of '" + new_code.display_name +
                      "' changed: what depends on its parameters and result is taken as changed");
    if (new_code.in_project) without_place.insert(EditKind::TypeChanged);
    propagation_.parameters_changed(after);
    propagation_.result_changed(after);
  }
}

void ChangeSet::may_fail_now(const FunctionDiff& difference, const FunctionView& view) {
  for (uint32_t i : difference.hazards) {
    site({view.id(), i}, ChangeKind::Changed);
    propagation_.hazard_changed({view.id(), i});
  }
  for (const Outlived& outlived : difference.outlived) {
    const CodeAddress at{view.id(), outlived.index};
    site(at, ChangeKind::Changed, allocated_as(view.id(), outlived.stack_object));
    if (view.hazard(outlived.index) != Hazard::None) propagation_.hazard_changed(at);
  }
}

// What was edited itself, for people: not what the compiler adds for exceptions.
void ChangeSet::remember(const FunctionDiff& difference, const FunctionView& old_view, const FunctionView& new_view) {
  if (!new_view.code().in_project) return;
  const Returning old_returns(old_view.graph()), new_returns(new_view.graph());
  const auto in_old = [&](uint32_t i) { return old_returns.at(old_view.graph(), i) || old_view.fails(i); };
  const auto in_new = [&](uint32_t i) { return new_returns.at(new_view.graph(), i) || new_view.fails(i); };
  for (uint32_t i : difference.inserted)
    if (in_new(i)) edited.push_back({new_view.id(), FunctionDiff::kNone, i});
  for (const FunctionDiff::Deleted& gone_statement : difference.deleted)
    if (in_old(gone_statement.before)) edited.push_back({new_view.id(), gone_statement.before, FunctionDiff::kNone});
  for (const FunctionDiff::Changed& changed : difference.changed)
    if (in_new(changed.after) && (changed.own_condition || changed.own_value))
      edited.push_back({new_view.id(), changed.before, changed.after, changed.own_condition, changed.own_value});
}

void ChangeSet::deleted(const FunctionView& view, const FunctionDiff::Deleted& gone_statement, FunctionId after) {
  const uint32_t i = gone_statement.before;
  const CodeAddress at{view.id(), i};
  calls_before_.whole.push_back(at);
  Deletion deletion{after, gone_statement.previous, gone_statement.next, at, {}};
  bool report = false;
  if (const Interaction* interaction = view.interaction(i)) {
    std::vector<ObjectId> objects = interaction->objects;
    unite(objects, interaction->mutexes);
    deletion.objects = versions_.map(objects);
    report = true;
  }
  if (old_summaries_.call_interacts(at)) {
    deletion.objects = versions_.map(old_summaries_.call_touches(at).list());
    report = true;
  }
  report |= view.fails(i) || view.gives_exit_code(i) || may_lose_block(versions_.before(), view, i);
  if (report) deletions.push_back(std::move(deletion));
  writes_changed(view, i);
  // No statement may be left that writes it: reads may find it unwritten.
  view.writes(i).for_each([&](ObjectId o) {
    const analysis::ObjectKind kind = versions_.before().objects[o.value].kind;
    if (kind != analysis::ObjectKind::Stack && kind != analysis::ObjectKind::Heap) return;
    for (const ObjectId now : versions_.map({o}))
      if (!versions_.after().objects[now.value].shared) propagation_.write_gone(now);
  });
  if (view.code().code[i].op == Opcode::Return) propagation_.result_changed(after);
  if (view.raises(i)) propagation_.leaving_changed(after);
}

// Calls that free something are gone, and none that allocates is gone with them: a block may be lost.
void ChangeSet::frees_deleted(const FunctionView& view, const FunctionDiff& difference, FunctionId after) {
  const auto runs = [&](const FunctionDiff::Deleted& gone_statement, library::Effect effect) {
    const CodeAddress at{view.id(), gone_statement.before};
    return versions_.before().callees.contains(at) && may_run(versions_.before(), at, effect);
  };
  for (const FunctionDiff::Deleted& gone_statement : difference.deleted)
    if (runs(gone_statement, library::Effect::Allocates)) return;
  for (const FunctionDiff::Deleted& gone_statement : difference.deleted)
    if (runs(gone_statement, library::Effect::Frees))
      deletions.push_back(
          {after, gone_statement.previous, gone_statement.next, {view.id(), gone_statement.before}, {}});
}

// Calls in unchanged code that reach other functions than before.
void ChangeSet::compare_calls() {
  const Facts& after = versions_.after();
  std::set<CodeAddress> different;
  for (const auto& [at, callees] : after.callees) {
    if (after.roles_of[at.function.value].empty() || newly_run(at.function) || !versions_.same_code(at.function))
      continue;
    std::set<FunctionId> known;
    if (auto old = versions_.before().callees.find({versions_.old_of(at.function), at.index});
        old != versions_.before().callees.end())
      for (FunctionId f : old->second)
        if (FunctionId now = versions_.new_of(f); now.valid()) known.insert(now);
    const std::set<FunctionId> reached(callees.begin(), callees.end());
    if (reached == known) continue;
    different.insert(at);
    const CodeAddress before{versions_.old_of(at.function), at.index};
    writes_changed(old_views_.of(before.function), before.index);
    if (old_summaries_.call_interacts(before))
      site(at, ChangeKind::Changed, versions_.map(old_summaries_.call_touches(before).list()), before);
  }
  for (CodeAddress at : different) propagation_.occurrence_changed(at);
}

// What a statement of the old version wrote to private memory, and perhaps writes no more.
void ChangeSet::writes_changed(const FunctionView& old_view, uint32_t index) {
  std::vector<ObjectId> written;
  old_view.writes(index).for_each([&](ObjectId o) { written.push_back(o); });
  for (ObjectId o : versions_.map(written))
    if (!versions_.after().objects[o.value].shared) propagation_.object_changed(o);
}

void ChangeSet::compare_roles() {
  const Facts& before = versions_.before();
  const Facts& after = versions_.after();
  std::map<std::pair<FunctionId, FunctionId>, const analysis::Role*> old_roles;  // by what starts, in the new version
  for (size_t r = 1; r < before.roles.size(); ++r)
    if (const auto now = started(before.roles[r]); now.first.valid()) old_roles[now] = &before.roles[r];
  for (uint32_t r = 1; r < after.roles.size(); ++r) {
    const analysis::Role& role = after.roles[r];
    auto old = old_roles.find({role.entry, role.callable});
    if (old == old_roles.end()) {
      roles.push_back({RoleId(r), "thread '" + role.name + "' is new: every statement it runs is taken as inserted"});
    } else if (old->second->multiplicity == analysis::Multiplicity::One &&
               role.multiplicity == analysis::Multiplicity::Many) {
      roles.push_back({RoleId(r), "thread '" + role.name +
                                      "' may now run several times: every statement it runs is taken as inserted"});
    }
    if (old != old_roles.end()) old_roles.erase(old);
  }
  for (const auto& [start, role] : old_roles) unite(gone, versions_.map(old_summaries_.touches(role->entry).list()));
  for (const RoleChange& change : roles) widened.push_back(change.why);
}

// In functions that no thread ran. All statements that new threads run count as inserted anyway.
void ChangeSet::calls_of_known_functions() {
  const Facts& after = versions_.after();
  const auto is_new = [&](RoleId role) {
    return std::any_of(roles.begin(), roles.end(), [&](const RoleChange& change) { return change.role == role; });
  };
  for (const auto& [at, callees] : after.callees) {
    const auto& runners = after.roles_of[at.function.value];
    if (std::all_of(runners.begin(), runners.end(), is_new) || !newly_run(at.function)) continue;
    if (new_views_.of(at.function).reachable(at.index) && adds_known(at)) site(at, ChangeKind::Inserted);
  }
}

}  // namespace heddle::edit
