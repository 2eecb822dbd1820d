#include "server/frontend/targets.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

namespace heddle::frontend {
namespace {

namespace fs = std::filesystem;
using program::Symbol;
using program::SymbolId;
using program::Unit;
using program::UnitPtr;

// The names a unit defines for others, and those it takes from others.
struct Names {
  std::map<std::string, bool> defined;  // name -> weak
  std::vector<std::string> needed;      // sorted
};

Names names_of(const Unit& unit) {
  Names names;
  std::vector<bool> here(unit.symbols.size(), false);
  const auto define = [&](SymbolId id) {
    const Symbol& symbol = unit.symbols[id.value];
    here[id.value] = true;
    if (!symbol.internal) names.defined.emplace(symbol.name, symbol.weak);
  };
  for (const program::Function& function : unit.functions) define(function.symbol);
  for (const program::Global& global : unit.globals) define(global.symbol);
  for (const program::Alias& alias : unit.aliases) define(alias.symbol);
  for (size_t n = 0; n < unit.symbols.size(); ++n)
    if (!here[n] && !unit.symbols[n].internal && !names.defined.contains(unit.symbols[n].name))
      names.needed.push_back(unit.symbols[n].name);
  std::sort(names.needed.begin(), names.needed.end());
  names.needed.erase(std::unique(names.needed.begin(), names.needed.end()), names.needed.end());
  return names;
}

// Steps through the directory tree from one file to the other.
size_t distance(const std::string& a, const std::string& b) {
  const fs::path relative = fs::path(a).parent_path().lexically_relative(fs::path(b).parent_path());
  return relative == "." ? 0 : static_cast<size_t>(std::distance(relative.begin(), relative.end()));
}

std::string name_of(const std::string& path, const std::string& root, bool with_extension) {
  const fs::path relative = fs::path(path).lexically_relative(root);
  const fs::path shown = relative.empty() || *relative.begin() == ".." ? fs::path(path).filename() : relative;
  return with_extension ? shown.generic_string() : fs::path(shown).replace_extension().generic_string();
}

}  // namespace

TargetSet find_targets(const std::vector<UnitPtr>& given, const std::string& root) {
  std::vector<UnitPtr> units = given;
  std::sort(units.begin(), units.end(), [](const UnitPtr& a, const UnitPtr& b) { return a->path < b->path; });
  std::vector<Names> names;
  std::map<std::string, std::vector<size_t>> definers;  // without units that have a main of their own
  std::vector<size_t> mains;
  for (size_t n = 0; n < units.size(); ++n) {
    names.push_back(names_of(*units[n]));
    if (names[n].defined.contains("main")) {
      mains.push_back(n);
      continue;
    }
    for (const auto& [name, weak] : names[n].defined) definers[name].push_back(n);
  }

  TargetSet result;
  std::vector<bool> used(units.size(), false);
  std::map<std::string, int> plain_names;
  for (const size_t main : mains) ++plain_names[name_of(units[main]->path, root, false)];
  for (const size_t main : mains) {
    Target target;
    const std::string plain = name_of(units[main]->path, root, false);
    target.name = plain_names[plain] > 1 ? name_of(units[main]->path, root, true) : plain;
    std::set<size_t> members;
    std::set<std::string> settled = {"main"};
    std::vector<size_t> work = {main};
    const auto take = [&](size_t n) {
      for (const auto& [name, weak] : names[n].defined)
        if (!weak) settled.insert(name);
    };
    take(main);
    while (!work.empty()) {
      const size_t user = work.back();
      work.pop_back();
      for (const std::string& name : names[user].needed) {
        if (settled.contains(name)) continue;
        const auto found = definers.find(name);
        if (found == definers.end()) continue;
        const auto rank = [&](size_t n) {
          return std::make_tuple(names[n].defined.at(name), distance(units[n]->path, units[main]->path),
                                 units[n]->path);
        };
        const size_t best = *std::min_element(found->second.begin(), found->second.end(),
                                              [&](size_t a, size_t b) { return rank(a) < rank(b); });
        if (found->second.size() > 1 && !names[best].defined.at(name))
          target.notes.push_back("'" + name + "' is defined by several units; " +
                                 name_of(units[best]->path, root, true) + " is the nearest");
        settled.insert(name);
        if (!members.insert(best).second) continue;
        take(best);
        work.push_back(best);
      }
    }
    target.units.push_back(units[main]);
    used[main] = true;
    for (const size_t member : members) {
      target.units.push_back(units[member]);
      used[member] = true;
    }
    std::sort(target.notes.begin(), target.notes.end());
    target.notes.erase(std::unique(target.notes.begin(), target.notes.end()), target.notes.end());
    result.targets.push_back(std::move(target));
  }
  std::sort(result.targets.begin(), result.targets.end(),
            [](const Target& a, const Target& b) { return a.name < b.name; });
  for (size_t n = 0; n < units.size(); ++n)
    if (!used[n]) result.unused.push_back(units[n]->path);
  return result;
}

}  // namespace heddle::frontend
