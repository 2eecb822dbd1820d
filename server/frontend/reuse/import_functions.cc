#include "server/frontend/reuse/import_functions.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace heddle::frontend {
namespace {

using program::Global;
using program::PlaceId;
using program::SymbolId;
using program::TypeId;
using program::Unit;

// Ids of one unit to those of the other.
class Translation {
 public:
  Translation(Unit& to, const Unit& from) : to_(to), from_(from) {
    for (uint32_t n = 0; n < to.files.size(); ++n) files_.try_emplace(to.files[n], program::FileId(n));
    for (uint32_t n = 0; n < to.places.size(); ++n) places_.try_emplace(to.places[n], PlaceId(n));
    for (uint32_t n = 0; n < to.symbols.size(); ++n) symbols_.try_emplace(key(to.symbols[n]), SymbolId(n));
    types_.resize(from.types.size());
    symbol_ids_.resize(from.symbols.size());
  }

  program::FileId file(program::FileId id) {
    if (!id.valid()) return id;
    const std::string& path = from_.files[id.value];
    const auto [at, inserted] = files_.try_emplace(path, program::FileId(static_cast<uint32_t>(to_.files.size())));
    if (inserted) to_.files.push_back(path);
    return at->second;
  }
  PlaceId place(PlaceId id) {
    if (!id.valid() || id.value == 0) return id;
    program::Place place = from_.places[id.value];
    place.file = file(place.file);
    const auto [at, inserted] = places_.try_emplace(place, PlaceId(static_cast<uint32_t>(to_.places.size())));
    if (inserted) to_.places.push_back(place);
    return at->second;
  }
  TypeId type(TypeId id) {
    if (!id.valid()) return id;
    if (types_[id.value].valid()) return types_[id.value];
    const TypeId made(static_cast<uint32_t>(to_.types.size()));
    types_[id.value] = made;
    to_.types.emplace_back();
    program::Type copy = from_.types[id.value];
    copy.element = type(copy.element);
    for (program::Type::Field& field : copy.fields) field.type = type(field.type);
    to_.types[made.value] = std::move(copy);
    return made;
  }
  SymbolId symbol(SymbolId id) {
    if (!id.valid() || symbol_ids_[id.value].valid()) return id.valid() ? symbol_ids_[id.value] : id;
    const program::Symbol& symbol = from_.symbols[id.value];
    const auto [at, inserted] = symbols_.try_emplace(key(symbol), SymbolId(static_cast<uint32_t>(to_.symbols.size())));
    if (inserted) to_.symbols.push_back(symbol);
    used_.push_back(id);
    return symbol_ids_[id.value] = at->second;
  }
  std::vector<SymbolId> take_used() { return std::exchange(used_, {}); }  // met since the last call, of `from`

 private:
  static std::pair<std::string, bool> key(const program::Symbol& symbol) { return {symbol.name, symbol.internal}; }

  Unit& to_;
  const Unit& from_;
  std::map<std::string, program::FileId> files_;
  std::map<program::Place, PlaceId> places_;
  std::map<std::pair<std::string, bool>, SymbolId> symbols_;
  std::vector<TypeId> types_;
  std::vector<SymbolId> symbol_ids_, used_;
};

program::Function translated(program::Function function, Translation& to) {
  function.symbol = to.symbol(function.symbol);
  function.place = to.place(function.place);
  for (program::Instruction& instruction : function.code)
    if (program::opcode_info(instruction.op).a == program::OperandRole::kSymbol)
      instruction.a = to.symbol(SymbolId(instruction.a)).value;
  for (PlaceId& place : function.places) place = to.place(place);
  for (program::LandingPad& pad : function.landing_pads)
    for (program::CatchClause& clause : pad.clauses)
      for (SymbolId& type : clause.types) type = to.symbol(type);
  for (program::StackObject& object : function.stack_objects) {
    object.type = to.type(object.type);
    object.place = to.place(object.place);
  }
  for (program::LocalVariable& local : function.locals) local.type = to.type(local.type);
  for (program::Statement& statement : function.statements) statement.range.file = to.file(statement.range.file);
  return function;
}

Global translated(Global global, Translation& to) {
  global.symbol = to.symbol(global.symbol);
  global.place = to.place(global.place);
  global.type = to.type(global.type);
  for (program::Relocation& relocation : global.relocations) relocation.symbol = to.symbol(relocation.symbol);
  return global;
}

}  // namespace

bool import_functions(Unit& unit, const Unit& from, const std::set<std::string>& names) {
  std::unordered_map<uint32_t, const program::Function*> functions;  // of `from`, by symbol
  std::unordered_map<uint32_t, const Global*> globals;
  for (const program::Function& function : from.functions) functions[function.symbol.value] = &function;
  for (const Global& global : from.globals) globals[global.symbol.value] = &global;
  std::vector<bool> defined(unit.symbols.size());
  for (const program::Function& function : unit.functions) defined[function.symbol.value] = true;
  for (const Global& global : unit.globals) defined[global.symbol.value] = true;
  for (const program::Alias& alias : unit.aliases) defined[alias.symbol.value] = true;

  Translation to(unit, from);
  const auto add = [&](SymbolId id) {
    const SymbolId made = to.symbol(id);
    defined.resize(unit.symbols.size());
    if (defined[made.value]) return;
    defined[made.value] = true;
    unit.symbols[made.value] = from.symbols[id.value];  // a reference to it did not know that it is weak
    if (const auto function = functions.find(id.value); function != functions.end())
      unit.functions.push_back(translated(*function->second, to));
    else
      unit.globals.push_back(translated(*globals.at(id.value), to));
  };
  for (uint32_t n = 0; n < from.symbols.size(); ++n)
    if (names.contains(from.symbols[n].name) && (functions.contains(n) || globals.contains(n))) add(SymbolId(n));
  for (const program::Alias& alias : from.aliases) {
    if (!names.contains(from.symbols[alias.target.value].name)) continue;
    const program::Alias made{to.symbol(alias.symbol), to.symbol(alias.target)};
    defined.resize(unit.symbols.size());
    if (defined[made.symbol.value]) continue;
    defined[made.symbol.value] = true;
    unit.symbols[made.symbol.value] = from.symbols[alias.symbol.value];
    unit.aliases.push_back(made);
  }
  // Literals and other constants of the unit's own.
  for (std::vector<SymbolId> used = to.take_used(); !used.empty(); used = to.take_used())
    for (const SymbolId id : used) {
      if (!functions.contains(id.value) && !globals.contains(id.value)) continue;
      const program::Symbol& symbol = from.symbols[id.value];
      const auto constant = globals.find(id.value);
      if (symbol.internal && constant != globals.end() && constant->second->constant) add(id);
      defined.resize(unit.symbols.size());
      if (!defined[to.symbol(id).value]) return false;
    }
  return true;
}

void put_in_order(Unit& unit, const std::string& main_path) {
  const auto key = [&](const program::Function& function) {
    const program::Symbol& symbol = unit.symbols[function.symbol.value];
    // Places of what the compiler makes for the library's classes depend on which declaration it met last.
    const program::Place place = function.in_project ? unit.place(function.place) : program::Place{};
    const std::string_view file = place.file.valid() ? std::string_view(unit.files[place.file.value]) : "";
    const int kind = !function.in_project ? 2 : symbol.internal || symbol.weak ? 1 : 0;
    return std::tuple(kind, file == main_path, file, place.line, place.column, std::string_view(symbol.name));
  };
  std::vector<uint32_t> order(unit.functions.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](uint32_t a, uint32_t b) { return key(unit.functions[a]) < key(unit.functions[b]); });
  std::vector<program::Function> functions;
  functions.reserve(order.size());
  for (const uint32_t n : order) functions.push_back(std::move(unit.functions[n]));
  unit.functions = std::move(functions);
}

}  // namespace heddle::frontend
