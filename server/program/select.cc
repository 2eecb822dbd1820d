#include "server/program/select.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "server/library/link_names.h"
#include "server/program/hash.h"
#include "server/program/operands.h"

namespace heddle::program {
namespace {

// Visits the symbols that a definition uses, its own included; those of a copy may be changed.
template <typename Part, typename Visit>
void for_each_symbol(Part& part, Visit&& visit) {
  visit(part.symbol);
  if constexpr (requires { part.relocations; }) {
    for (auto& relocation : part.relocations) visit(relocation.symbol);
  } else {
    for (auto& i : part.code) {
      if (opcode_info(i.op).a != OperandRole::kSymbol) continue;
      SymbolId id(i.a);
      visit(id);
      if constexpr (!std::is_const_v<Part>) i.a = id.value;
    }
    if constexpr (requires { part.landing_pads; })
      for (auto& pad : part.landing_pads)
        for (auto& clause : pad.clauses)
          for (auto& type : clause.types)
            if (type.valid()) visit(type);
  }
}

template <typename Visit>
void for_each_definition(const Unit& unit, Visit&& visit) {
  for (const Function& function : unit.functions) visit(function.symbol);
  for (const Global& global : unit.globals) visit(global.symbol);
  for (const Alias& alias : unit.aliases) visit(alias.symbol);
}

std::unordered_set<std::string_view> defined_names(const std::vector<UnitPtr>& units) {
  std::unordered_set<std::string_view> names;
  for (const UnitPtr& unit : units)
    for_each_definition(*unit, [&](SymbolId id) {
      const Symbol& symbol = unit->symbols[id.value];
      if (!symbol.internal) names.insert(symbol.name);
    });
  return names;
}

// What in the library is reached, by index.
class Reach {
 public:
  Reach(const Unit& library, const std::vector<UnitPtr>& users) : library_(library), elsewhere_(defined_names(users)) {
    for (uint32_t n = 0; n < library.functions.size(); ++n)
      owner_[library.functions[n].symbol.value] = {Kind::Function, n};
    for (uint32_t n = 0; n < library.globals.size(); ++n) owner_[library.globals[n].symbol.value] = {Kind::Global, n};
    for (uint32_t n = 0; n < library.aliases.size(); ++n) owner_[library.aliases[n].symbol.value] = {Kind::Alias, n};
    std::unordered_map<std::string_view, uint32_t> by_name;
    for (const auto& [symbol, definition] : owner_)
      if (!library.symbols[symbol].internal) by_name[library.symbols[symbol].name] = symbol;
    const auto need_name = [&](std::string_view name) {
      if (const auto found = by_name.find(name); found != by_name.end()) need(SymbolId(found->second));
    };
    for (const std::string& name : undefined_names(users)) {
      need_name(name);
      // The machine's operator new throws when it cannot give what is asked for.
      if (std::ranges::find(library::kThrowingNews, name) != std::end(library::kThrowingNews))
        need_name(library::kThrowBadAlloc);
    }
    follow_all();
    if (functions.empty() && globals.empty() && aliases.empty()) return;
    for (const Initialiser& initialiser : library.initialisers)
      if (has_priority(initialiser)) need(initialiser.function);
    follow_all();
  }

  static bool has_priority(const Initialiser& initialiser) { return initialiser.priority < Initialiser{}.priority; }

  std::set<uint32_t> functions, globals, aliases;

 private:
  enum class Kind { Function, Global, Alias };

  void need(SymbolId id) {
    const Symbol& symbol = library_.symbols[id.value];
    const auto found = owner_.find(id.value);
    if (found == owner_.end() || (!symbol.internal && elsewhere_.contains(symbol.name))) return;
    const auto [kind, index] = found->second;
    std::set<uint32_t>& taken = kind == Kind::Function ? functions : kind == Kind::Global ? globals : aliases;
    if (taken.insert(index).second) work_.push_back(found->second);
  }

  void follow_all() {
    while (!work_.empty()) {
      const auto [kind, index] = work_.back();
      work_.pop_back();
      follow(kind, index);
    }
  }

  void follow(Kind kind, uint32_t index) {
    const auto visit = [&](const SymbolId& id) { need(id); };
    switch (kind) {
      case Kind::Function: return for_each_symbol(library_.functions[index], visit);
      case Kind::Global: return for_each_symbol(library_.globals[index], visit);
      case Kind::Alias: return need(library_.aliases[index].target);
    }
  }

  const Unit& library_;
  std::unordered_set<std::string_view> elsewhere_;
  std::unordered_map<uint32_t, std::pair<Kind, uint32_t>> owner_;  // by symbol of the library
  std::vector<std::pair<Kind, uint32_t>> work_;
};

// Numbers symbols, places and files anew, in the order in which they are met.
class Copier {
 public:
  explicit Copier(const Unit& library) : library_(library) {
    out_.path = library.path;
    out_.flags = library.flags;
    out_.places.push_back(library.places[0]);
    places_[0] = PlaceId(0);
  }

  void add(const Function& function) {
    Function made = function;
    for_each_symbol(made, [&](SymbolId& id) { id = symbol(id); });
    made.place = place(made.place);
    for (PlaceId& at : made.places) at = place(at);
    for (StackObject& object : made.stack_objects) {
      object.place = place(object.place);
      object.type = TypeId::none();
    }
    made.locals.clear();
    made.statements.clear();
    out_.functions.push_back(std::move(made));
  }

  void add(const Global& global) {
    Global made = global;
    for_each_symbol(made, [&](SymbolId& id) { id = symbol(id); });
    made.place = place(made.place);
    made.type = TypeId::none();
    out_.globals.push_back(std::move(made));
  }

  void add(const Alias& alias) {
    const SymbolId from = symbol(alias.symbol);
    out_.aliases.push_back({from, symbol(alias.target)});
  }

  void add(const Initialiser& initialiser) {
    out_.initialisers.push_back(initialiser);
    out_.initialisers.back().function = symbol(initialiser.function);
  }

  Unit take() {
    compute_hashes(out_);
    return std::move(out_);
  }

 private:
  SymbolId symbol(SymbolId id) {
    const auto [at, fresh] = symbols_.try_emplace(id.value, SymbolId(static_cast<uint32_t>(out_.symbols.size())));
    if (fresh) out_.symbols.push_back(library_.symbols[id.value]);
    return at->second;
  }

  PlaceId place(PlaceId id) {
    if (!id.valid()) return id;
    const auto [at, fresh] = places_.try_emplace(id.value, PlaceId(static_cast<uint32_t>(out_.places.size())));
    if (fresh) {
      Place made = library_.places[id.value];
      made.file = file(made.file);
      out_.places.push_back(made);
    }
    return at->second;
  }

  FileId file(FileId id) {
    if (!id.valid()) return id;
    const auto [at, fresh] = files_.try_emplace(id.value, FileId(static_cast<uint32_t>(out_.files.size())));
    if (fresh) out_.files.push_back(library_.files[id.value]);
    return at->second;
  }

  const Unit& library_;
  Unit out_;
  std::unordered_map<uint32_t, SymbolId> symbols_;
  std::unordered_map<uint32_t, PlaceId> places_;
  std::unordered_map<uint32_t, FileId> files_;
};

}  // namespace

std::set<std::string> undefined_names(const std::vector<UnitPtr>& units) {
  const std::unordered_set<std::string_view> defined = defined_names(units);
  std::set<std::string> names;
  for (const UnitPtr& unit : units) {
    std::vector<bool> here(unit->symbols.size(), false);
    for_each_definition(*unit, [&](SymbolId id) { here[id.value] = true; });
    for (size_t n = 0; n < unit->symbols.size(); ++n) {
      const Symbol& symbol = unit->symbols[n];
      if (!here[n] && !symbol.internal && !defined.contains(symbol.name)) names.insert(symbol.name);
    }
  }
  return names;
}

UnitPtr select_needed(const Unit& library, const std::vector<UnitPtr>& users) {
  const Reach reach(library, users);
  if (reach.functions.empty() && reach.globals.empty() && reach.aliases.empty()) return nullptr;
  Copier copier(library);
  for (const uint32_t n : reach.functions) copier.add(library.functions[n]);
  for (const uint32_t n : reach.globals) copier.add(library.globals[n]);
  for (const uint32_t n : reach.aliases) copier.add(library.aliases[n]);
  for (const Initialiser& initialiser : library.initialisers)
    if (Reach::has_priority(initialiser)) copier.add(initialiser);
  return std::make_shared<const Unit>(copier.take());
}

namespace {

// What a program reaches by name, from its static constructors and some functions.
class ProgramReach {
 public:
  ProgramReach(const std::vector<UnitPtr>& units, const std::vector<std::string>& roots, std::set<std::string>& outside)
      : units_(units), outside_(outside), owners_(units.size()), reached(units.size()) {
    for (size_t n = 0; n < units.size(); ++n) {
      const Unit& unit = *units[n];
      reached[n].assign(unit.symbols.size(), false);
      owners_[n].assign(unit.symbols.size(), no_owner());
      for (uint32_t k = 0; k < unit.functions.size(); ++k) owners_[n][unit.functions[k].symbol.value].function = k;
      for (uint32_t k = 0; k < unit.globals.size(); ++k) owners_[n][unit.globals[k].symbol.value].global = k;
      for (const Alias& alias : unit.aliases) owners_[n][alias.symbol.value].alias = alias.target.value;
      for (uint32_t k = 0; k < unit.symbols.size(); ++k)
        if (owners_[n][k].defined() && !unit.symbols[k].internal) by_name_[unit.symbols[k].name].emplace_back(n, k);
    }
    for (size_t n = 0; n < units.size(); ++n) {
      for (const Initialiser& initialiser : units[n]->initialisers) reach(n, initialiser.function.value);
      for (uint32_t k = 0; k < units[n]->symbols.size(); ++k)
        if (owners_[n][k].defined() && is_root(units[n]->symbols[k].name, roots)) reach(n, k);
    }
    while (!work_.empty()) {
      const auto [unit, symbol] = work_.back();
      work_.pop_back();
      follow(unit, symbol);
    }
  }

 private:
  struct Owner {
    uint32_t function, global, alias;
    bool defined() const { return function != kNone || global != kNone || alias != kNone; }
    static constexpr uint32_t kNone = UINT32_MAX;
  };
  static Owner no_owner() { return {Owner::kNone, Owner::kNone, Owner::kNone}; }
  static bool is_root(const std::string& name, const std::vector<std::string>& roots) {
    return name == "main" || std::find(roots.begin(), roots.end(), name) != roots.end();
  }

  void reach(size_t unit, uint32_t symbol) {
    if (reached[unit][symbol]) return;
    reached[unit][symbol] = true;
    work_.emplace_back(unit, symbol);
  }
  void follow(size_t n, uint32_t id) {
    const Unit& unit = *units_[n];
    const Symbol& symbol = unit.symbols[id];
    const Owner& owner = owners_[n][id];
    const auto visit = [&](const SymbolId& used) { reach(n, used.value); };
    if (owner.function != Owner::kNone) for_each_symbol(unit.functions[owner.function], visit);
    if (owner.global != Owner::kNone) for_each_symbol(unit.globals[owner.global], visit);
    if (owner.alias != Owner::kNone) reach(n, owner.alias);
    if (symbol.internal) return;
    const auto found = by_name_.find(symbol.name);
    if (found == by_name_.end())
      outside_.insert(symbol.name);
    else
      for (const auto& [other, definition] : found->second) reach(other, definition);
  }

  const std::vector<UnitPtr>& units_;
  std::set<std::string>& outside_;
  std::vector<std::vector<Owner>> owners_;
  std::unordered_map<std::string_view, std::vector<std::pair<size_t, uint32_t>>> by_name_;
  std::vector<std::pair<size_t, uint32_t>> work_;

 public:
  std::vector<std::vector<bool>> reached;  // by unit and symbol
};

Unit part_of(const Unit& unit, const std::vector<bool>& reached) {
  Unit part;
  part.path = unit.path;
  part.files = unit.files;
  part.places = unit.places;
  part.types = unit.types;
  part.flags = unit.flags;
  std::vector<SymbolId> numbers(unit.symbols.size());
  for (size_t n = 0; n < unit.symbols.size(); ++n) {
    if (!reached[n]) continue;
    numbers[n] = SymbolId(static_cast<uint32_t>(part.symbols.size()));
    part.symbols.push_back(unit.symbols[n]);
  }
  const auto renumber = [&](SymbolId& id) { id = numbers[id.value]; };
  const auto take = [&](const auto& from, auto& to) {
    for (const auto& one : from) {
      if (!reached[one.symbol.value]) continue;
      to.push_back(one);
      for_each_symbol(to.back(), renumber);
    }
  };
  take(unit.functions, part.functions);
  take(unit.globals, part.globals);
  for (const Alias& alias : unit.aliases)
    if (reached[alias.symbol.value]) part.aliases.push_back({numbers[alias.symbol.value], numbers[alias.target.value]});
  for (Initialiser initialiser : unit.initialisers) {
    renumber(initialiser.function);
    part.initialisers.push_back(initialiser);
  }
  return part;
}

}  // namespace

std::vector<Unit> select_reached(const std::vector<UnitPtr>& units, const std::vector<std::string>& roots,
                                 std::set<std::string>& outside) {
  const ProgramReach reach(units, roots, outside);
  std::vector<Unit> parts;
  for (size_t n = 0; n < units.size(); ++n) parts.push_back(part_of(*units[n], reach.reached[n]));
  return parts;
}

}  // namespace heddle::program
