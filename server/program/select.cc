#include "server/program/select.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

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

// What the machine's own functions call in the library: operator new throws when it cannot give what is asked for.
constexpr std::pair<std::string_view, std::string_view> kCalledByMachine[] = {
    {"_Znwm", "_ZSt17__throw_bad_allocv"},
    {"_Znam", "_ZSt17__throw_bad_allocv"},
    {"_ZnwmSt11align_val_t", "_ZSt17__throw_bad_allocv"},
    {"_ZnamSt11align_val_t", "_ZSt17__throw_bad_allocv"},
};

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
      for (const auto& [caller, called] : kCalledByMachine)
        if (caller == name) need_name(called);
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

}  // namespace heddle::program
