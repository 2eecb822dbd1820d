// The rules for changes that no fragment can express, and what was recognised as no change.
#include <algorithm>
#include <map>
#include <set>

#include "server/edit/change_set.h"
#include "server/edit/slices.h"
#include "server/library/link_names.h"
#include "server/program/call_result.h"

namespace heddle::edit {
namespace {

using program::Type;
using program::TypeId;
using program::TypeKind;
using program::Unit;

// Sizes and offsets, all the way down; names play no part.
uint64_t layout(const Unit& unit, TypeId id, int depth = 0) {
  if (!id.valid() || id.value >= unit.types.size() || depth > 16) return 1;
  const Type& type = unit.types[id.value];
  uint64_t hash = mix(mix(71, static_cast<uint64_t>(type.kind)), type.size);
  if (type.kind == TypeKind::Array) return mix(mix(hash, type.count), layout(unit, type.element, depth + 1));
  if (type.kind == TypeKind::Record || type.kind == TypeKind::Union)
    for (const Type::Field& field : type.fields)
      hash = mix(mix(mix(hash, field.offset), field.bit_size), layout(unit, field.type, depth + 1));
  return hash;
}

// The type of what is stored in the object, where it is known.
struct Stored {
  const Unit* unit = nullptr;
  TypeId type;
};

Stored stored(const Facts& facts, ObjectId id) {
  const program::Program& program = *facts.program;
  const analysis::Object& object = facts.objects[id.value];
  if (object.global.valid()) return {&program.unit(program.unit_of(object.global)), program.global(object.global).type};
  if (object.kind != analysis::ObjectKind::Stack || !object.site.function.valid()) return {};
  const auto& stack = program.function(object.site.function).stack_objects[program.instruction(object.site).b];
  return {&program.unit(program.unit_of(object.site.function)), stack.type};
}

// Records whose layout differs, all the way down.
void differing_records(const Stored& then, const Stored& now, std::set<std::string>& names) {
  if (layout(*then.unit, then.type) == layout(*now.unit, now.type) || !then.type.valid() || !now.type.valid()) return;
  const Type& x = then.unit->types[then.type.value];
  const Type& y = now.unit->types[now.type.value];
  if (x.kind != y.kind) return;
  if (y.kind == TypeKind::Array) return differing_records({then.unit, x.element}, {now.unit, y.element}, names);
  if (y.kind != TypeKind::Record && y.kind != TypeKind::Union) return;
  names.insert(y.name);
  for (size_t f = 0; f < std::min(x.fields.size(), y.fields.size()); ++f)
    differing_records({then.unit, x.fields[f].type}, {now.unit, y.fields[f].type}, names);
}

std::string list(const std::set<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "'" : ", '") + name + "'";
  return text;
}

// Units of both versions side by side: by path, then by file name, or both the only one. Each is in one pair at most.
std::vector<std::pair<const Unit*, const Unit*>> match_units(const program::Program& before,
                                                             const program::Program& after) {
  std::vector<std::pair<const Unit*, const Unit*>> result;
  std::set<const Unit*> matched_then, matched_now;  // a unit that does not differ is in both programs
  const auto file = [](const Unit& u) { return u.path.substr(u.path.rfind('/') + 1); };
  const auto pass = [&](auto same) {
    for (const auto& now : after.units()) {
      if (matched_now.contains(now.get())) continue;
      for (const auto& old : before.units()) {
        if (matched_then.contains(old.get()) || !same(*old, *now)) continue;
        result.push_back({old.get(), now.get()});
        matched_then.insert(old.get());
        matched_now.insert(now.get());
        break;
      }
    }
  };
  pass([](const Unit& old, const Unit& now) { return old.path == now.path; });
  pass([&](const Unit& old, const Unit& now) { return file(old) == file(now); });
  if (before.units().size() == 1 && after.units().size() == 1) pass([](const Unit&, const Unit&) { return true; });
  return result;
}

// The units that have functions which run before or after main, in the order of the program.
std::vector<const Unit*> with_initialisers(const program::Program& program) {
  std::vector<const Unit*> units;
  for (const auto& unit : program.units())
    if (!unit->initialisers.empty()) units.push_back(unit.get());
  return units;
}

std::string file_names(const std::vector<const Unit*>& units, const std::set<const Unit*>& but_for) {
  std::set<std::string> names;
  for (const Unit* unit : units)
    if (!but_for.contains(unit)) names.insert(unit->path.substr(unit->path.rfind('/') + 1));
  return names.empty() ? "" : list(names);
}

bool shared_somewhere(const Facts& facts, ObjectId whole) {
  const auto& parts = facts.sub_objects[whole.value];
  return facts.objects[whole.value].shared ||
         std::any_of(parts.begin(), parts.end(),
                     [&](const Facts::SubObject& part) { return facts.objects[part.object.value].shared; });
}

std::multiset<std::string> local_names(const program::Function& f) {
  std::multiset<std::string> names;
  for (const auto& local : f.locals)
    if (!program::describes_result(local)) names.insert(local.name);
  for (const auto& object : f.stack_objects) names.insert(object.name);
  return names;
}

}  // namespace

void ChangeSet::touch_everything_of(ObjectId object) {
  const Facts& after = versions_.after();
  if (object.value < after.sub_objects.size())
    for (const Facts::SubObject& part : after.sub_objects[object.value]) touch_everything_of(part.object);
  if (!after.objects[object.value].shared) propagation_.object_changed(object);
  for (const Interaction& interaction : after.interactions)
    if (std::binary_search(interaction.objects.begin(), interaction.objects.end(), object) ||
        std::find(interaction.mutexes.begin(), interaction.mutexes.end(), object) != interaction.mutexes.end())
      site(interaction.at, ChangeKind::Changed);
}

// Accesses of the object, which its size or its being constant may make fail.
void ChangeSet::accesses_changed(ObjectId object) {
  const Facts& after = versions_.after();
  if (object.value < after.sub_objects.size())
    for (const Facts::SubObject& part : after.sub_objects[object.value]) accesses_changed(part.object);
  for (const auto& [key, objects] : after.operand_pointees) {
    const CodeAddress at = CodeAddress::from_bits(key / 16);
    if (after.roles_of[at.function.value].empty() || std::find(objects.begin(), objects.end(), object) == objects.end())
      continue;
    const FunctionView& view = new_views_.of(at.function);
    if (view.reachable(at.index) && view.hazard(at.index) != Hazard::None) propagation_.hazard_changed(at);
  }
}

void ChangeSet::compare_globals() {
  const program::Program& before = *versions_.before().program;
  const program::Program& after = *versions_.after().program;
  for (uint32_t g = 0; g < after.global_count(); ++g) {
    const GlobalId now(g), then = versions_.old_of(now);
    if (!then.valid()) continue;
    const program::Global& x = before.global(then);
    const program::Global& y = after.global(now);
    if (y.string_literal || versions_.same_value(now)) continue;
    const ObjectId object = versions_.after().object_of(now);
    const std::string& name = versions_.after().objects[object.value].name;
    const char* what = x.thread_local_storage != y.thread_local_storage ? "the storage of '"
                       : x.constant != y.constant                       ? "the constness of '"
                       : x.size != y.size                               ? "the size of '"
                       : x.alignment != y.alignment                     ? "the alignment of '"
                                                                        : "the initial value of '";
    // What no other thread can see matters only through what is computed from it.
    if (shared_somewhere(versions_.after(), object) || y.thread_local_storage != x.thread_local_storage)
      widened.push_back(what + name + "' changed: every statement that touches it is taken as changed");
    else if (!name.starts_with("__const."))
      private_values_.push_back(what + name + "' changed");
    if (!name.starts_with("__const.")) without_place.insert(EditKind::InitialValue);
    touch_everything_of(object);
    if (x.size != y.size || x.constant != y.constant) accesses_changed(object);
    if (after.unit(after.unit_of(now)).symbols[y.symbol.value].name.starts_with(library::kTypeInfo)) {
      widened.push_back("the bases of '" + name +
                        "' changed, which decide what catches it: everything is taken as changed");
      everything = true;
    }
  }
}

void ChangeSet::compare_types() {
  const Facts& before = versions_.before();
  const Facts& after = versions_.after();
  std::set<std::string> changed;
  for (uint32_t o = 0; o < before.objects.size(); ++o) {
    const Stored then = stored(before, ObjectId(o));
    if (!then.unit) continue;
    for (const ObjectId matched : versions_.map({ObjectId(o)})) {
      const Stored now = stored(after, matched);
      if (!now.unit) continue;
      std::set<std::string> records;
      differing_records(then, now, records);
      if (!records.empty()) touch_everything_of(matched);
      changed.merge(records);
    }
  }
  if (!changed.empty()) without_place.insert(EditKind::TypeChanged);
  if (!changed.empty())
    widened.push_back("the layout of " + list(changed) +
                      " changed: every statement that touches an object of it is taken as changed");
}

// A unit that comes or goes, or is linked in another place, takes its functions along that run before or after main.
void ChangeSet::compare_units_linked(const std::vector<std::pair<const Unit*, const Unit*>>& matched) {
  std::map<const Unit*, const Unit*> now_of;
  std::set<const Unit*> matched_then, matched_now;
  for (const auto& [then, now] : matched) {
    now_of[then] = now;
    matched_then.insert(then);
    matched_now.insert(now);
  }
  const std::vector<const Unit*> then = with_initialisers(*versions_.before().program);
  const std::vector<const Unit*> now = with_initialisers(*versions_.after().program);
  const std::string gone_units = file_names(then, matched_then), new_units = file_names(now, matched_now);
  const std::string what = " with functions that run before or after main: everything is taken as changed";
  if (!gone_units.empty()) widened.push_back(gone_units + " left the program" + what);
  if (!new_units.empty()) widened.push_back(new_units + " came into the program" + what);
  std::vector<const Unit*> order_then, order_now;
  for (const Unit* unit : then)
    if (const auto found = now_of.find(unit); found != now_of.end() && !found->second->initialisers.empty())
      order_then.push_back(found->second);
  for (const Unit* unit : now)
    if (std::find(order_then.begin(), order_then.end(), unit) != order_then.end()) order_now.push_back(unit);
  const bool reordered = order_then != order_now;
  if (reordered) widened.push_back("the order changed of units" + what);
  if (gone_units.empty() && new_units.empty() && !reordered) return;
  everything = true;
  without_place.insert(EditKind::InitialValue);
}

void ChangeSet::compare_units() {
  const program::Program& before = *versions_.before().program;
  const program::Program& after = *versions_.after().program;
  const auto units = match_units(before, after);
  compare_units_linked(units);
  for (const auto& [then, now] : units) {
    const std::string name = now->path.substr(now->path.rfind('/') + 1);
    if (then->initialisers != now->initialisers && then->initialisers.size() + now->initialisers.size() > 0) {
      auto names = [](const Unit& u) {
        std::vector<std::string> result;
        for (const auto& i : u.initialisers)
          result.push_back(u.symbols[i.function.value].name + (i.destructor ? "~" : "") + std::to_string(i.priority));
        return result;
      };
      if (names(*then) != names(*now)) {
        widened.push_back("the functions of '" + name +
                          "' that run before or after main changed: everything is taken as changed");
        everything = true;
        without_place.insert(EditKind::InitialValue);
      }
    }
    if (then->flags == now->flags) continue;
    if (then->content == now->content) {
      unchanged.push_back("the compile flags of '" + name + "' changed, but not the code they produce");
      continue;
    }
    if (then->path != now->path) continue;  // another file was given for comparison: its command differs anyway
    without_place.insert(EditKind::CompileFlags);
    widened.push_back("the compile flags of '" + name + "' changed: every statement in it is taken as changed");
    for (const Interaction& interaction : versions_.after().interactions)
      if (&after.unit(after.unit_of(interaction.at.function)) == now) site(interaction.at, ChangeKind::Changed);
  }
}

// A name whose definition came or went means something else in text that is the same.
void ChangeSet::compare_definitions() {
  std::set<std::string> found, lost;
  const auto compare = [](const program::Program& without, const program::Program& with, std::set<std::string>& names) {
    std::set<std::string> undefined;  // in both: the library's
    for (const program::External& external : with.externals()) undefined.insert(external.name);
    for (const program::External& external : without.externals())
      if (!undefined.contains(external.name) &&
          (with.find_function(external.name).valid() || with.find_global(external.name).valid()))
        names.insert(external.name);
  };
  compare(*versions_.before().program, *versions_.after().program, found);
  compare(*versions_.after().program, *versions_.before().program, lost);
  if (!found.empty()) widened.push_back(list(found) + " found a definition: everything is taken as changed");
  if (!lost.empty()) widened.push_back(list(lost) + " lost the definition: everything is taken as changed");
  everything |= !found.empty() || !lost.empty();
}

bool ChangeSet::is_edited(FunctionId after) const {
  return !versions_.old_of(after).valid() || !versions_.same_code(after);
}

// What library functions keep for themselves: who changes it and who looks at it need not share an object.
void ChangeSet::compare_hidden() {
  const Facts& before = versions_.before();
  const Facts& after = versions_.after();
  EditedCalls& now = calls_after_;
  now.whole.insert(now.whole.end(), propagation_.occurrences().begin(), propagation_.occurrences().end());
  now.arguments.insert(now.arguments.end(), propagation_.consumers().begin(), propagation_.consumers().end());
  for (const RoleChange& change : roles)
    for (FunctionId f : after.roles[change.role.value].reachable)
      for (uint32_t i = 0; i < after.program->function(f).code.size(); ++i) now.arguments.push_back({f, i});
  const library::HiddenStates written = hidden_writes(before, calls_before_) | hidden_writes(after, now);
  if (written != 0) {
    const library::HiddenStates matter = written & (hidden_reads(before) | hidden_reads(after));
    for (uint32_t k = 0; k < library::kHiddenStates; ++k)
      if (matter >> k & 1)
        widened.push_back("calls changed that may decide what others do by way of " +
                          std::string(library::name_of_hidden(1u << k)) + ": everything is taken as changed");
    everything |= matter != 0;
  }
  if (pauses_in_loop(old_views_, calls_before_) || pauses_in_loop(new_views_, now)) {
    widened.push_back("a loop pauses otherwise than before: everything is taken as changed");
    everything = true;
  }
}

void ChangeSet::describe_harmless() {
  const program::Program& before = *versions_.before().program;
  const program::Program& after = *versions_.after().program;
  std::set<FunctionId> affected;
  for (const auto& [at, s] : sites) affected.insert(at.function);
  for (const Deletion& d : deletions) affected.insert(d.function);
  for (FunctionId f : differing_) {
    if (affected.contains(f) || !after.function(f).in_project || !is_edited(f)) continue;
    const std::string& name = after.function(f).display_name;
    if (versions_.after().roles_of[f.value].empty())
      unchanged.push_back("'" + name + "' changed, but no thread runs it");
    else
      unchanged.push_back("'" + name + "' changed, but in no statement through which threads affect each other");
  }
  for (const std::string& what : private_values_) {
    if (sites.empty())
      unchanged.push_back(what + ", but in no statement through which threads affect each other");
    else
      widened.push_back(what + ": every statement that depends on it is taken as changed");
  }
  for (uint32_t f = 0; f < after.function_count(); ++f) {
    const FunctionId function(f), old = versions_.old_of(function);
    if (!old.valid() || !versions_.same_code(function) || after.original(function) != function) continue;
    const program::Function& x = before.function(old);
    const program::Function& y = after.function(function);
    if (local_names(x) != local_names(y)) unchanged.push_back("'" + y.display_name + "': local variables were renamed");
  }
  const bool harmless = sites.empty() && deletions.empty() && roles.empty() && widened.empty() && !everything;
  if (harmless && unchanged.empty() && differing_.empty())
    unchanged.push_back("nothing but comments or formatting changed");
}

}  // namespace heddle::edit
