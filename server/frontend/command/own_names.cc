#include "server/frontend/command/own_names.h"

#include <algorithm>
#include <string_view>

#include "server/library/link_names.h"
#include "server/program/hash.h"

namespace heddle::frontend {
namespace {

using program::Symbol;
using program::SymbolId;
using program::Unit;
using program::UnitPtr;
using program::Visibility;

// By path of a source: the shared library that alone it is linked into; null: the program, or several modules.
std::map<std::string, const BuildTarget*> modules_of(const std::vector<BuildTarget>& build) {
  std::map<std::string, std::set<const BuildTarget*>> linked_by;  // by id of what is no module itself
  for (const BuildTarget& target : build) {
    if (target.kind != BuildKind::Program && target.kind != BuildKind::SharedLibrary) continue;
    std::set<std::string> inner;  // what its shared libraries bring is theirs
    for (const BuildTarget& other : build)
      if (other.kind == BuildKind::SharedLibrary && &other != &target && std::ranges::count(target.links, other.id) > 0)
        inner.insert(other.links.begin(), other.links.end());
    for (const std::string& id : target.links)
      if (!inner.contains(id)) linked_by[id].insert(&target);
  }
  std::map<std::string, std::set<const BuildTarget*>> owners;
  for (const BuildTarget& target : build)
    for (const std::string& source : target.sources) {
      if (target.kind == BuildKind::Program || target.kind == BuildKind::SharedLibrary)
        owners[source].insert(&target);
      else
        owners[source].insert(linked_by[target.id].begin(), linked_by[target.id].end());
    }
  std::map<std::string, const BuildTarget*> modules;
  for (const auto& [source, all] : owners)
    if (all.size() == 1 && (*all.begin())->kind == BuildKind::SharedLibrary) modules[source] = *all.begin();
  return modules;
}

bool is_compared_by_name(std::string_view name) {
  return name.starts_with(library::kTypeInfo) || name.starts_with(library::kTypeInfoName);
}

// Of a module what it defines, by name; of what its units say of a name the linker takes the most constraining
// visibility. Of these names, the ones whose definition is no weak one. And what units of it use and do not define
// themselves.
struct Module {
  std::map<std::string_view, Visibility> defined;
  std::set<std::string_view> strong, used;
};
using Modules = std::map<const BuildTarget*, Module>;  // null: what is in no library alone

void add(const Unit& unit, Module& to) {
  std::vector<bool> here(unit.symbols.size(), false);
  const auto define = [&](SymbolId id) {
    const Symbol& symbol = unit.symbols[id.value];
    here[id.value] = true;
    if (!symbol.internal && !is_compared_by_name(symbol.name)) to.defined.try_emplace(symbol.name, Visibility::Default);
    if (!symbol.internal && !symbol.weak) to.strong.insert(symbol.name);
  };
  for (const program::Function& function : unit.functions) define(function.symbol);
  for (const program::Global& global : unit.globals) define(global.symbol);
  for (const program::Alias& alias : unit.aliases) define(alias.symbol);
  for (size_t n = 0; n < unit.symbols.size(); ++n)
    if (!here[n] && !unit.symbols[n].internal) to.used.insert(unit.symbols[n].name);
}

void constrain(const Unit& unit, Module& to) {
  for (const Symbol& symbol : unit.symbols)
    if (symbol.visibility != Visibility::Default && !symbol.internal)
      if (const auto found = to.defined.find(symbol.name); found != to.defined.end())
        found->second = std::max(found->second, symbol.visibility);
}

// What the module binds within itself although another one defines it, and what else both define: that of the program
// counts, or of a library before it.
ModuleNames names_of(const BuildTarget& target, const Modules& modules) {
  ModuleNames names;
  std::set<std::string_view> shared;
  for (const auto& [name, visibility] : modules.at(&target).defined)
    for (const auto& [other, module] : modules) {
      const auto found = other == &target ? module.defined.end() : module.defined.find(name);
      if (found == module.defined.end()) continue;
      // A program that uses the library's is another one than that which hides its own.
      const bool hidden_there = !other && found->second == Visibility::Hidden && !module.used.contains(name);
      if (visibility != Visibility::Default || hidden_there || target.binds_own)
        names.own.emplace(name);
      else if (found->second != Visibility::Hidden)
        shared.insert(name);
    }
  names.shares = !shared.empty();
  for (const std::string_view name : shared)
    if (modules.at(&target).strong.contains(name)) names.yielding.emplace(name);
  return names;
}

UnitPtr changed(const Unit& unit, const ModuleNames& names, const std::string& module) {
  auto made = std::make_shared<Unit>(unit);
  for (Symbol& symbol : made->symbols) {
    if (symbol.internal) continue;
    symbol.weak = symbol.weak || names.yielding.contains(symbol.name);
    if (names.own.contains(symbol.name)) symbol.name += "." + module;
  }
  program::compute_hashes(*made);
  return made;
}

}  // namespace

std::vector<UnitPtr> OwnNames::give(const std::vector<UnitPtr>& units, const std::vector<BuildTarget>& build) {
  notes_.clear();
  const auto modules = modules_of(build);
  if (modules.empty()) return units;
  Modules found;
  const auto module_of = [&](const UnitPtr& unit) {
    const auto at = modules.find(unit->path);
    return at == modules.end() ? nullptr : at->second;
  };
  for (const UnitPtr& unit : units) add(*unit, found[module_of(unit)]);
  for (const UnitPtr& unit : units) constrain(*unit, found[module_of(unit)]);
  std::map<const BuildTarget*, ModuleNames> names;
  std::map<const BuildTarget*, std::string> notes;
  for (const auto& [module, all] : found) {
    if (!module) continue;
    const ModuleNames& own = names.emplace(module, names_of(*module, found)).first->second;
    if (own.shares && module->has_version_script)
      notes[module] = "the version script of '" + module->name + "' is not read: what it defines is bound as exported";
  }
  std::vector<UnitPtr> out;
  for (const UnitPtr& unit : units) {
    const BuildTarget* module = module_of(unit);
    if (const auto note = notes.find(module); note != notes.end()) notes_[note->second].insert(unit->path);
    const auto own = names.find(module);
    if (own == names.end() || (own->second.own.empty() && own->second.yielding.empty())) {
      out.push_back(unit);
      continue;
    }
    Known& known = known_[unit->path];
    if (known.from != unit || known.names != own->second || known.module != module->name)
      known = {unit, own->second, module->name, changed(*unit, own->second, module->name)};
    out.push_back(known.made);
  }
  return out;
}

void OwnNames::add_notes(TargetSet& set) const {
  for (Target& target : set.targets)
    for (const auto& [note, paths] : notes_)
      if (std::ranges::any_of(target.units, [&](const UnitPtr& unit) { return paths.contains(unit->path); }))
        target.notes.push_back(note);
}

}  // namespace heddle::frontend
