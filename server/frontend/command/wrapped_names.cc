#include "server/frontend/command/wrapped_names.h"

#include <algorithm>
#include <string_view>

#include "server/program/hash.h"

namespace heddle::frontend {
namespace {

using program::Symbol;
using program::SymbolId;
using program::Unit;
using program::UnitPtr;

constexpr std::string_view kWrap = "__wrap_", kReal = "__real_";

// What the linker is given, without the words that make the compiler hand it on.
std::vector<std::string> linker_words(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) {
    if (word == "-Xlinker") continue;
    if (!word.starts_with("-Wl,")) {
      out.push_back(word);
      continue;
    }
    for (size_t begin = 4; begin <= word.size();) {
      const size_t end = std::min(word.find(',', begin), word.size());
      out.push_back(word.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return out;
}

// Calls of it are operations of the machine, not calls.
bool is_operation(std::string_view name) { return name == "memcpy" || name == "memmove" || name == "memset"; }

std::vector<bool> defined_in(const Unit& unit) {
  std::vector<bool> defined(unit.symbols.size(), false);
  for (const program::Function& function : unit.functions) defined[function.symbol.value] = true;
  for (const program::Global& global : unit.globals) defined[global.symbol.value] = true;
  for (const program::Alias& alias : unit.aliases) defined[alias.symbol.value] = true;
  return defined;
}

// Null: the unit uses none of the names.
UnitPtr bound(const Unit& unit, const std::set<std::string>& names) {
  const std::vector<bool> defined = defined_in(unit);
  std::shared_ptr<Unit> made;
  for (size_t n = 0; n < unit.symbols.size(); ++n) {
    const Symbol& symbol = unit.symbols[n];
    if (defined[n] || symbol.internal) continue;
    std::string name;
    if (names.contains(symbol.name))
      name = std::string(kWrap) + symbol.name;
    else if (symbol.name.starts_with(kReal) && names.contains(symbol.name.substr(kReal.size())))
      name = symbol.name.substr(kReal.size());
    if (name.empty()) continue;
    if (!made) made = std::make_shared<Unit>(unit);
    made->symbols[n].name = std::move(name);
  }
  if (made) program::compute_hashes(*made);
  return made;
}

}  // namespace

std::set<std::string> wrapped_in(const std::vector<std::string>& words) {
  std::set<std::string> names;
  const std::vector<std::string> given = linker_words(words);
  for (size_t n = 0; n < given.size(); ++n)
    for (const std::string_view option : {"--wrap", "-wrap"}) {
      if (given[n] == option && n + 1 < given.size()) names.insert(given[n + 1]);
      if (given[n].starts_with(std::string(option) + "=")) names.insert(given[n].substr(option.size() + 1));
    }
  return names;
}

void WrappedNames::bind(TargetSet& set) {
  for (Target& target : set.targets) {
    if (target.wraps.empty()) continue;
    for (const std::string& name : target.wraps)
      if (is_operation(name))
        target.left_out.push_back("the linker's option --wrap=" + name + " has no effect here: Heddle runs " + name +
                                  "() itself, without " + std::string(kWrap) + name + "()");
    for (UnitPtr& unit : target.units) {
      if (target.linked_before.contains(unit->path)) continue;
      Known& known = known_[{target.name, unit->path}];
      if (known.from != unit || known.names != target.wraps) known = {unit, target.wraps, bound(*unit, target.wraps)};
      if (known.made) unit = known.made;
    }
  }
}

}  // namespace heddle::frontend
